
// The filter: shows the items that hold all the words, and what is around them.
"use strict";
{
  const filter = document.getElementById("filter");
  const found = document.getElementById("found");
  const hint = found.textContent;
  const items = [...document.querySelectorAll(".item")].map((item) => ({
    item,
    words: item.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll(".chapter, .section, .group")].reverse();
  const lines = [...document.querySelectorAll("nav li")].reverse();

  const apply = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = wanted.length === 0;
    let count = 0;
    for (const { item, words } of items) {
      item.hidden = !all && !wanted.every((word) => words.includes(word));
      count += item.hidden ? 0 : 1;
    }
    for (const group of groups) {
      group.hidden = !all && !group.querySelector(".item:not([hidden])");
    }
    for (const line of lines) {
      const target = document.getElementById(line.firstElementChild.hash.slice(1));
      line.hidden = target !== null && target.hidden;
    }
    found.textContent = all ? hint : count + " of " + items.length + " found";
  };

  const show = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target !== null && target.closest("[hidden]") !== null) {
      filter.value = "";
      apply();
      target.scrollIntoView();
    }
  };

  filter.addEventListener("input", apply);
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
      filter.select();
    } else if (event.key === "Escape" && filter.value !== "") {
      filter.value = "";
      apply();
    }
  });
  apply();
}
