"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const part = (id) => document.getElementById(id);
  const slider = part("slider");
  let now = -1;
  let timer = null;
  let address = null;
  // The steps stand in the page, to be read without this script too.
  const items = [...part("steps").children];
  const last = items.length - 1;

  // Each text as the lines it consists of: what changes is told from step to step.
  const texts = ({ lines, changes }) => {
    let last = [];
    const numbers = changes.map(([begin, end, between]) => {
      last = last.slice(0, begin).concat(between, end > 0 ? last.slice(last.length - end) : []);
      return last;
    });
    return (at) => (numbers[at] || []).map((number) => lines[number]);
  };
  const board = texts(game.boards);
  const stand = texts(game.stands);

  // A text of the page with its holes filled.
  const say = (name, holes) => game.words[name].replace(/\{(\w+)\}/g, (hole, key) => (key in holes ? holes[key] : hole));
  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };
  const sentence = (at) => items[at].querySelector(".said").textContent;

  // Who points has done with a button: keys are the page's again. Who goes along the buttons with keys stays.
  const pressed = (button, does) => button.addEventListener("click", (event) => {
    if (event.detail > 0) button.blur();
    does();
  });

  slider.max = String(last);
  const buttons = items.map((item, at) => {
    const button = element("button", "");
    button.type = "button";
    while (item.firstChild && item.firstChild.nodeName !== "A") button.append(item.firstChild);
    pressed(button, () => { stop(); show(at); });
    item.prepend(button);
    return button;
  });

  const scores = (lines) => {
    const table = part("scores");
    table.querySelectorAll("tr").forEach((row) => row.remove());
    if (lines.length === 0) return;
    const head = document.createElement("tr");
    head.append(element("th", ""));
    for (const seat of game.seats) {
      const cell = element("th", seat);
      cell.scope = "col";
      head.append(cell);
    }
    table.append(head);
    for (const [name, values] of lines) {
      const row = document.createElement("tr");
      const title = element("th", name);
      title.scope = "row";
      row.append(title);
      for (const value of values) row.append(element("td", value === null ? "–" : String(value)));
      table.append(row);
    }
  };

  const show = (wanted) => {
    const at = Math.max(0, Math.min(last, wanted));
    if (at === now) return;
    if (now >= 0) {
      buttons[now].removeAttribute("aria-current");
      // The address leads back here; not one for each step that is run through.
      clearTimeout(address);
      address = setTimeout(() => history.replaceState(null, "", `#step=${at}`), 200);
    }
    now = at;
    part("board").innerHTML = board(at).join("\n");
    part("said").textContent = sentence(at);
    part("number").textContent = say("of", { number: at, all: last });
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `${at}: ${sentence(at)}`);
    scores(game.scores[at]);
    part("stand").replaceChildren(...stand(at).map((line) => element("li", line)));
    buttons[at].setAttribute("aria-current", "step");
    const list = part("steps");
    const box = buttons[at].parentElement;
    if (box.offsetTop < list.scrollTop + list.offsetTop || box.offsetTop + box.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight) {
      list.scrollTop = box.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
    if (at === last) stop();
  };

  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    part("play").textContent = "▶";
    part("play").setAttribute("aria-label", game.words.play);
  };
  const start = () => {
    if (now === last) show(0);
    timer = setInterval(() => show(now + 1), 1000 * Number(part("speed").value));
    part("play").textContent = "❚❚";
    part("play").setAttribute("aria-label", game.words.pause);
  };
  const by = (number) => () => { stop(); show(now + number); };
  const turn = () => (timer === null ? start() : stop());

  pressed(part("first"), by(-last));
  pressed(part("back"), by(-1));
  pressed(part("play"), turn);
  pressed(part("next"), by(1));
  pressed(part("last"), by(last));
  part("speed").addEventListener("change", () => { if (timer !== null) { stop(); start(); } });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLSelectElement || (event.target === slider && event.key !== " ")) return;
    const keys = { ArrowLeft: by(-1), ArrowRight: by(1), Home: by(-last), End: by(last) };
    const does = event.key === " " && !(event.target instanceof HTMLButtonElement) ? turn : keys[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });
  // A link into the rules opens them.
  const rule = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (place === null || !part("rules").contains(place)) return;
    part("rules").open = true;
    place.scrollIntoView({ block: "center" });
  };
  const go = () => {
    rule();
    const wanted = /^#step=(\d+)$/.exec(location.hash);
    if (wanted || now < 0) show(wanted ? Number(wanted[1]) : 0);
  };
  window.addEventListener("hashchange", () => { stop(); go(); });
  go();
})();
