/** The right column: the Markdown files as they are, the newest change first and lit up. */

import { compare, linesOf } from "./diff.js";
import { calm, el, icon, roving, settle } from "./dom.js";
import { around, rows } from "./rows.js";

const FADE_MS = 1800;
const LOG_YIELDS_MS = 3000;
const NEAR_SCREENS = 2;

/** The live view of the files; `changed` is called whenever one was written. */
export class Shelf {
  constructor({ world, say }, changed) {
    this.world = world;
    this.say = say;
    this.changed = changed;
    this.tabs = document.getElementById("file-tabs");
    this.sheet = document.getElementById("sheet");
    this.open = null;
    this.reader = null;
    this.marks = new Map();
    this.wrote = 0;
    roving(this.tabs, ".file-tab", "horizontal");
    world.hear("place", () => this.draw());
    world.hear("files", (change) => this.write(change));
  }

  draw() {
    const moved = this.reader !== this.world.me;
    this.reader = this.world.me;
    if (moved || !this.world.files.has(this.open)) this.open = this.preferred();
    this.drawTabs();
    this.drawSheet(plain(this.world.files.get(this.open)));
  }

  /** The reader's own newest document, else anybody's. */
  preferred() {
    const paths = [...this.world.files.keys()].filter((path) => !isLog(path));
    const own = paths.find((path) => path.startsWith(`users/${this.world.me}/`));
    return own ?? paths[0] ?? [...this.world.files.keys()][0] ?? null;
  }

  write({ path, before, text }) {
    this.changed();
    const lines = compare(before, text ?? "");
    this.marks.set(path, numbersOf(lines));
    if (text === null) return this.draw();
    if (this.follows(path)) this.open = path;
    this.drawTabs(path);
    if (this.open !== path) return null;
    this.drawSheet(lines);
    return this.showFresh();
  }

  /** The view goes to the file just written; a log line that comes with it does not take over. */
  follows(path) {
    const justNow = Date.now() - this.wrote < LOG_YIELDS_MS;
    if (isLog(path) && justNow) return false;
    this.wrote = Date.now();
    return true;
  }

  drawTabs(fresh = null) {
    const focused = this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(...[...this.world.files.keys()].map((path) => this.tab(path, fresh)));
    this.tabs.hidden = !this.world.files.size;
    const chosen = this.tabs.querySelector("[aria-selected=true]");
    settle([...this.tabs.children], chosen);
    if (focused) chosen?.focus();
    if (fresh === this.open) this.tabs.scrollLeft = 0;
  }

  tab(path, fresh) {
    const { owner, name } = named(path, this.world);
    const look = { class: `file-tab ${path === fresh ? "written" : ""}`, title: path };
    const roles = { role: "tab", "aria-selected": String(path === this.open), "aria-controls": "sheet" };
    const show = () => this.show(path);
    return el(
      "button",
      { type: "button", ...look, ...roles, "data-path": path, onclick: show },
      owner && el("span", { class: "owner" }, owner),
      el("span", { class: "file-name" }, name),
    );
  }

  show(path) {
    this.open = path;
    this.drawTabs();
    this.drawSheet(plain(this.world.files.get(path)));
    this.tabs.querySelector("[aria-selected=true]")?.focus();
  }

  drawSheet(lines) {
    const say = this.say();
    this.sheet.setAttribute("aria-label", this.open ?? say("files"));
    if (this.open === null) return this.sheet.replaceChildren(blank(say("filesEmpty"), say("filesHint")));
    if (!lines.length) return this.sheet.replaceChildren(blank(say("emptyFile"), ""));
    const changed = lines.findIndex((line) => line.kind !== "same");
    return this.drawRows(lines, around(lines.length, Math.max(0, changed)));
  }

  /** Draw a stretch of lines; a long file has buttons for what stands before and after it. */
  drawRows(lines, [from, to]) {
    const marks = this.marks.get(this.open) ?? new Set();
    const rest = (count, centre) => {
      const go = () => this.drawRows(lines, around(lines.length, centre));
      const label = this.say()("elsewhere", { n: count });
      return count > 0 && el("button", { type: "button", class: "elsewhere", onclick: go }, label);
    };
    const parts = [rest(from, from), ...rows(lines, [from, to], marks), rest(lines.length - to, to)];
    this.sheet.replaceChildren(...parts.filter(Boolean));
  }

  showFresh() {
    const target = this.sheet.querySelector(".fresh, .gone");
    if (target) bring(target, this.sheet);
    for (const row of this.sheet.querySelectorAll(".fresh")) row.classList.add("lit");
    for (const row of this.sheet.querySelectorAll(".gone")) setTimeout(() => row.remove(), FADE_MS);
  }
}

/** Scroll a row to the middle: gliding when it is near, at once when it is far. */
function bring(target, sheet) {
  const way = target.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
  const near = Math.abs(way) < NEAR_SCREENS * sheet.clientHeight;
  target.scrollIntoView({ block: "center", behavior: near && !calm() ? "smooth" : "auto" });
}

function isLog(path) {
  return path.endsWith(".log");
}

function plain(text) {
  return linesOf(text ?? "").map((line) => ({ kind: "same", text: line }));
}

function numbersOf(lines) {
  const present = lines.filter((line) => line.kind !== "removed");
  return new Set(present.flatMap((line, number) => (line.kind === "added" ? [number] : [])));
}

function blank(title, hint) {
  return el("div", { class: "empty" }, icon("files"), el("h3", {}, title), hint && el("p", {}, hint));
}

/** Whose file it is, with people by name, and the path inside that space. */
function named(path, world) {
  const [kind, id, ...rest] = path.split("/");
  if (kind === "users" && rest.length) {
    return { owner: world.people.get(Number(id))?.first_name ?? id, name: rest.join("/") };
  }
  if (kind === "channels" && rest.length) {
    return { owner: world.chats.get(Number(id))?.title ?? id, name: rest.join("/") };
  }
  return { owner: "", name: path };
}
