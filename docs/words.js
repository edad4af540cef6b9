// Colours for rules, cases and changes in the book; without this script they are read as plain text.
(() => {
  const keywords =
    "enum table rows option network tiling always check when once action flow score win strategy prefer avoid scenario variant set replace remove patch add " +
    "before after instead key copies where by up else ask for links joins private hidden showing refill fill anytime during " +
    "while secretly need choose let move shuffle if match each as repeat may one of any order walk pause finish stop skip original " +
    "and or not implies within otherwise then in from to given expect because choices players position seed until with";
  const language = (hljs) => ({
    name: "rules",
    keywords: { keyword: keywords, literal: "true false none me this" },
    contains: [
      hljs.QUOTE_STRING_MODE,
      hljs.HASH_COMMENT_MODE,
      { className: "number", begin: /\b\d+\b/ },
      { className: "title", begin: /^\s*[a-z_]\w*(?=:)/ },
    ],
  });
  if (typeof hljs === "undefined") return;
  for (const name of ["rules", "scenario"]) {
    hljs.registerLanguage(name, language);
    for (const block of document.querySelectorAll(`code.language-${name}`)) {
      block.removeAttribute("data-highlighted");
      (hljs.highlightElement || hljs.highlightBlock)(block);
    }
  }
})();
