"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const steps = game.steps;
  const part = (id) => document.getElementById(id);
  const slider = part("slider");
  let now = -1;
  let timer = null;
  let address = null;

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
  const sentence = (at) => {
    const step = steps[at];
    const last = at === steps.length - 1 && game.end;
    const parts = [];
    if (step.said) parts.push(step.effects ? `${step.said} · ${step.effects}` : step.said);
    else if (at === 0) parts.push(game.words.begins);
    if (last) parts.push(game.end);
    return parts.join(" — ");
  };

  part("about").textContent = game.about;
  slider.max = String(steps.length - 1);
  const buttons = steps.map((step, at) => {
    const button = element("button", sentence(at) || "…");
    button.type = "button";
    const more = (step.came || []).concat(step.answers || []);
    for (const text of more) {
      button.append(document.createElement("br"), element("small", text));
    }
    button.addEventListener("click", () => { stop(); show(at); });
    const item = document.createElement("li");
    item.append(button);
    for (const [place, name] of step.rules || []) {
      const link = element("a", name);
      link.href = `#${place}`;
      link.setAttribute("aria-label", say("rule", { name }));
      item.append(link, " ");
    }
    part("steps").append(item);
    return button;
  });

  const scores = (step) => {
    const table = part("scores");
    table.querySelectorAll("tr").forEach((row) => row.remove());
    if (step.scores.length === 0) return;
    const head = document.createElement("tr");
    head.append(element("th", ""));
    for (const seat of game.seats) {
      const cell = element("th", seat);
      cell.scope = "col";
      head.append(cell);
    }
    table.append(head);
    for (const [name, values] of step.scores) {
      const row = document.createElement("tr");
      const title = element("th", name);
      title.scope = "row";
      row.append(title);
      for (const value of values) row.append(element("td", value === null ? "–" : String(value)));
      table.append(row);
    }
  };

  const show = (wanted) => {
    const at = Math.max(0, Math.min(steps.length - 1, wanted));
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
    part("number").textContent = say("of", { number: at, all: steps.length - 1 });
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `${at}: ${sentence(at)}`);
    scores(steps[at]);
    part("stand").replaceChildren(...stand(at).map((line) => element("li", line)));
    buttons[at].setAttribute("aria-current", "step");
    const list = part("steps");
    const box = buttons[at].parentElement;
    if (box.offsetTop < list.scrollTop + list.offsetTop || box.offsetTop + box.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight) {
      list.scrollTop = box.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
    if (at === steps.length - 1) stop();
  };

  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    part("play").textContent = "▶▶";
    part("play").setAttribute("aria-label", game.words.play);
  };
  const start = () => {
    if (now === steps.length - 1) show(0);
    timer = setInterval(() => show(now + 1), 1000 * Number(part("speed").value));
    part("play").textContent = "❚❚";
    part("play").setAttribute("aria-label", game.words.pause);
  };
  const by = (number) => () => { stop(); show(now + number); };
  const turn = () => (timer === null ? start() : stop());

  part("first").addEventListener("click", by(-steps.length));
  part("back").addEventListener("click", by(-1));
  part("play").addEventListener("click", turn);
  part("next").addEventListener("click", by(1));
  part("last").addEventListener("click", by(steps.length));
  part("speed").addEventListener("change", () => { if (timer !== null) { stop(); start(); } });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLSelectElement || (event.target === slider && event.key !== " ")) return;
    const keys = { ArrowLeft: by(-1), ArrowRight: by(1), Home: by(-steps.length), End: by(steps.length) };
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
