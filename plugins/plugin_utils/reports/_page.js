"use strict";
const form = document.getElementById("filters");
const entries = Array.from(document.querySelectorAll(".entry"));
const messageOf = (entry) => entry.closest(".same").querySelector(".message")?.textContent ?? "";
const texts = entries.map((entry) => (entry.textContent + messageOf(entry)).toLowerCase());
const sections = Array.from(document.querySelectorAll(".group"));

function apply() {
  const filters = new FormData(form);
  const states = filters.getAll("state");
  const [kind, team] = [filters.get("kind"), filters.get("team")];
  const words = filters.get("text").toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  entries.forEach((entry, index) => {
    const { dataset } = entry;
    entry.hidden = !(states.includes(dataset.state) && (!kind || dataset.kind === kind) &&
      (!team || dataset.team === team) && words.every((word) => texts[index].includes(word)));
    if (!entry.hidden) shown += 1;
  });
  for (const section of sections) {
    const visible = section.querySelectorAll(".entry:not([hidden])").length;
    section.hidden = !visible;
    section.querySelector(".count").textContent = visible;
    for (const same of section.querySelectorAll(".same")) {
      same.hidden = !same.querySelector(".entry:not([hidden])");
    }
  }
  document.getElementById("shown").textContent = `${shown} of ${entries.length} shown`;
  document.getElementById("nothing").hidden = shown > 0 || !entries.length;
}

if (entries.length) {
  document.getElementById("states").disabled = false;
  document.querySelector(".filters").hidden = false;
  // On a phone, the first entry is to be seen first.
  if (matchMedia("(max-width: 44rem)").matches) {
    document.querySelector(".filters").open = false;
  }
  // What is as it should be is rarely what a reader looks for.
  const isQuiet = entries.every((entry) => ["none", "undeclared"].includes(entry.dataset.state));
  const unchanged = form.querySelector("[value=none]");
  if (unchanged) unchanged.checked = isQuiet;
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}

for (const button of document.querySelectorAll(".unfold")) {
  const folded = Array.from(button.parentElement.querySelectorAll(".entry > details"));
  button.hidden = !folded.length;
  button.addEventListener("click", () => {
    const isOpen = folded.every((details) => details.open);
    for (const details of folded) details.open = !isOpen;
    button.textContent = isOpen ? "Open all" : "Close all";
  });
}
