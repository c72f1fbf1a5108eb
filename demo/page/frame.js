/** The frame around the three panes: the tab bar of small screens, appearance, and the address. */

import { el, icon, roving, settle } from "./dom.js";

const PANES = [
  ["side", "people", "peopleTab"],
  ["talk", "chat", "chat"],
  ["shelf", "files", "files"],
];

/** The tab bar at the bottom of a phone: one pane at a time, a dot where something happened. */
export class Panes {
  constructor(say) {
    this.say = say;
    this.app = document.getElementById("app");
    this.bar = document.getElementById("panes");
    this.dots = new Set();
    roving(this.bar, "button", "horizontal");
  }

  show(pane) {
    this.app.dataset.pane = pane;
    this.dots.delete(pane);
    this.draw();
  }

  /** Put a dot on a pane that is not in view. */
  dot(pane) {
    if (this.app.dataset.pane === pane) return;
    this.dots.add(pane);
    this.draw();
  }

  draw() {
    const focused = this.bar.contains(document.activeElement);
    this.bar.setAttribute("aria-label", "Pomněnka");
    this.bar.replaceChildren(...PANES.map((pane) => this.tab(pane)));
    const here = this.bar.querySelector("[aria-current]");
    settle([...this.bar.children], here);
    if (focused) here.focus();
  }

  tab([pane, picture, word]) {
    const here = this.app.dataset.pane === pane;
    const dot = this.dots.has(pane) && el("span", { class: "dot", title: this.say()("changed") });
    const look = { type: "button", "data-pane": pane, "aria-current": here && "page" };
    const show = () => this.show(pane);
    return el("button", { ...look, onclick: show }, icon(picture), dot, el("span", {}, this.say()(word)));
  }
}

const LOOKS = ["auto", "light", "dark"];
const STORE = "pomnenka.appearance";

/** The button that goes round system, light and dark; the choice is remembered in this browser. */
export class Appearance {
  constructor(say) {
    this.say = say;
    this.button = document.getElementById("appearance");
    this.button.addEventListener("click", () => this.turn());
    this.set(remembered());
  }

  turn() {
    this.set(LOOKS[(LOOKS.indexOf(this.look) + 1) % LOOKS.length]);
    remember(this.look);
    this.draw();
  }

  set(look) {
    this.look = LOOKS.includes(look) ? look : "auto";
    document.documentElement.dataset.look = this.look;
  }

  draw() {
    const label = `${this.say()("appearance")}: ${this.say()(this.look)}`;
    this.button.replaceChildren(icon(this.look));
    for (const name of ["aria-label", "title"]) this.button.setAttribute(name, label);
  }
}

function remembered() {
  try {
    return localStorage.getItem(STORE);
  } catch {
    return null;
  }
}

function remember(look) {
  try {
    localStorage.setItem(STORE, look);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

/** Who and where from the address (`#222/-1001`), so that windows can be different people. */
export function readAddress() {
  const [person, chat] = location.hash.slice(1).split("/").map(Number);
  return { person: person || null, chat: chat || null };
}

/** Write who and where into the address without leaving a trail of history. */
export function writeAddress({ me, here }) {
  history.replaceState(null, "", `#${me}/${here}`);
}

/** Put the page's own words into the elements that only carry a key. */
export function translate(say, language) {
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = say(node.dataset.word);
}
