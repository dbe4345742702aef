// A field above the tables of an index page; it hides the rows that do not have the typed words.
(() => {
  const article = document.querySelector("article.md-content__inner");
  const tables = article ? [...article.querySelectorAll("table")] : [];
  const rows = tables.flatMap(table => [...table.querySelectorAll("tbody tr")]);
  const isIndex = /\/(isa|rules)\/(index\.html)?$/.test(location.pathname);
  if (!isIndex || rows.length === 0) return;
  const field = document.createElement("input");
  field.type = "search";
  field.className = "ptx-filter";
  field.placeholder = "Filter: a name, or words";
  field.setAttribute("aria-label", "Filter the tables of this page");
  // The theme puts a table into a box that scrolls.
  const box = element => element.closest(".md-typeset__scrollwrap") ?? element;
  box(article.querySelector("h2, table")).before(field);
  const heading = table => {
    let place = box(table);
    while (place && !/^H[1-6]$/.test(place.tagName)) place = place.previousElementSibling;
    return place && place.tagName !== "H1" ? place : null;
  };
  const update = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.classList.toggle("ptx-hidden", !words.every(word => text.includes(word)));
    }
    for (const table of tables) {
      const isEmpty = table.querySelector("tbody tr:not(.ptx-hidden)") === null;
      for (const part of [box(table), heading(table)]) part?.classList.toggle("ptx-hidden", isEmpty);
    }
  };
  field.addEventListener("input", update);
})();
