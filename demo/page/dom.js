/** Small building blocks for the page: elements, icons, and lists with one Tab stop. */

/**
 * Build an element. Names that start with "on" become listeners, known DOM properties are set,
 * all else becomes an attribute; `false`, `null` and `undefined` are left out. Text is only ever
 * appended as text nodes.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) give(node, name, value);
  node.append(...children.flat().filter((child) => child || child === 0));
  return node;
}

function give(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name in node && !name.includes("-")) node[name] = value;
  else node.setAttribute(name, value === true ? "" : value);
}

/** An icon of the sprite in index.html, hidden from screen readers. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** The first letters of a name, at most two, for a round portrait. */
export function initials(name) {
  const words = name.trim().split(/\s+/u);
  return words.slice(0, 2).map((word) => [...word][0] ?? "").join("").toUpperCase();
}

/** A round portrait: the flower for the bot, initials for people. */
export function portrait(who) {
  const inside = who.is_bot ? icon("flower") : initials(who.first_name);
  return el("span", { class: `portrait tint-${tint(who)}`, "aria-hidden": "true" }, inside);
}

function tint(who) {
  return who.is_bot ? "bot" : Math.abs(who.id) % 3;
}

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/**
 * Make a group one Tab stop: arrows move among the items that match `selector`, Home and End jump.
 * `keys` says which arrows count: "vertical", "horizontal" or "both".
 */
export function roving(group, selector, keys = "both") {
  group.addEventListener("keydown", (event) => {
    const items = [...group.querySelectorAll(selector)].filter((item) => item.offsetParent);
    const here = items.indexOf(document.activeElement);
    const next = here < 0 || event.altKey || event.ctrlKey ? -1 : goal(event.key, here, items, keys);
    if (next < 0) return;
    event.preventDefault();
    settle(items, items[next]);
    items[next].focus();
  });
}

function goal(key, here, items, keys) {
  if (key === "Home") return 0;
  if (key === "End") return items.length - 1;
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const wrong = keys !== "both" && sideways !== (keys === "horizontal");
  if (!(key in STEPS) || wrong) return -1;
  return Math.min(items.length - 1, Math.max(0, here + STEPS[key]));
}

/** Let `chosen` (or the first item) be the group's Tab stop. */
export function settle(items, chosen) {
  const stop = items.includes(chosen) ? chosen : items[0];
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

/** True when the person asked the system for less motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
