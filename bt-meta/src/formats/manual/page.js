// The filter: shows the items that hold all the words, and what is around them. Where none does, those
// whose names come near. The arrows go from hit to hit, Enter opens one.
"use strict";
{
  const filter = document.getElementById("filter");
  const found = document.getElementById("found");
  const list = document.getElementById("list");
  const hint = found.textContent;
  const items = [...document.querySelectorAll(".item")].map((item) => ({
    item,
    words: item.textContent.toLowerCase(),
    name: item.id.slice(item.id.lastIndexOf(".") + 1).toLowerCase(),
  }));
  const groups = [...document.querySelectorAll(".chapter, .section, .group")].reverse();
  const lines = [...list.querySelectorAll("li")].map((line) => ({
    line,
    target: document.getElementById(line.firstElementChild.hash.slice(1)),
  }));
  const phone = matchMedia("(max-width: 50rem)");
  let hits = [];
  let current = -1;

  // Whether all letters of a word stand in a name, in that order: "wlkto" in "walk_to".
  const holds = (name, word) => {
    let at = -1;
    return [...word].every((letter) => (at = name.indexOf(letter, at + 1)) >= 0);
  };

  // Whether a word becomes the beginning of a name by one letter changed, added, left out or swapped
  // with the next: "wakl" is "walk".
  const slips = (name, word) => {
    let same = 0;
    while (same < word.length && word[same] === name[same]) same += 1;
    const [left, rest] = [word.slice(same), name.slice(same)];
    return [
      rest.startsWith(left.slice(1)),
      rest.slice(1).startsWith(left),
      rest.slice(1).startsWith(left.slice(1)),
      rest.startsWith((left[1] ?? "") + (left[0] ?? "") + left.slice(2)),
    ].some(Boolean);
  };

  const near = (name, word) => {
    if (word.length < 3) return name.includes(word);
    const parts = name.split("_").map((_, at, all) => all.slice(at).join("_"));
    return holds(name, word) || parts.some((part) => slips(part, word));
  };

  const mark = (at) => {
    document.querySelector(".item.current")?.classList.remove("current");
    current = at;
    const hit = hits[current];
    hit?.classList.add("current");
    hit?.scrollIntoView({ block: "start" });
  };

  const apply = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = wanted.length === 0;
    const before = hits[current];
    const exact = ({ words }) => wanted.every((word) => words.includes(word));
    const fuzzy = ({ name }) => wanted.every((word) => near(name, word));
    const is = all || items.some(exact) ? exact : fuzzy;
    for (const entry of items) entry.item.hidden = !all && !is(entry);
    hits = items.filter(({ item }) => !item.hidden).map(({ item }) => item);
    for (const group of groups) {
      group.hidden = !all && !group.querySelector(".item:not([hidden])");
    }
    for (const { line, target } of lines) line.hidden = target !== null && target.hidden;
    const about = is === fuzzy ? " like it" : "";
    // A phone has no such keys.
    const unfiltered = phone.matches ? items.length + " items" : hint;
    found.textContent = all ? unfiltered : hits.length + " of " + items.length + " found" + about;
    // The page stays where it was looked at, or shows the first hit.
    mark(all ? -1 : Math.max(0, hits.indexOf(before)));
    if (all && before !== undefined) before.scrollIntoView({ block: "start" });
    else if (all) showTarget();
  };

  const showTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    if (target.closest("[hidden]") !== null) {
      filter.value = "";
      apply();
    }
    target.scrollIntoView({ block: "start" });
  };

  const open = () => {
    const hit = hits[current];
    if (hit === undefined || filter.value === "") return;
    history.pushState(null, "", "#" + encodeURIComponent(hit.id));
    filter.value = "";
    apply();
    hit.tabIndex = -1;
    hit.focus({ preventScroll: true });
    hit.classList.add("current");
    hit.scrollIntoView({ block: "start" });
  };

  filter.addEventListener("input", apply);
  filter.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && filter.value !== "" && hits.length > 0) {
      event.preventDefault();
      mark((current + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      open();
    }
  });
  addEventListener("hashchange", showTarget);
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
  const fold = () => (list.open = !phone.matches);
  phone.addEventListener("change", fold);
  fold();
  apply();
}
