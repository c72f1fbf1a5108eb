/** The right column: the Markdown files as they are, the newest change first and lit up. */

import { compare, linesOf } from "./diff.js";
import { calm, el, icon, roving, settle } from "./dom.js";

const FADE_MS = 1800;
const LOG_YIELDS_MS = 3000;

/** The live view of the files; `changed` is called whenever one was written. */
export class Shelf {
  constructor({ world, say }, changed) {
    this.world = world;
    this.say = say;
    this.changed = changed;
    this.tabs = document.getElementById("file-tabs");
    this.sheet = document.getElementById("sheet");
    this.open = null;
    this.marks = new Map();
    this.wrote = 0;
    roving(this.tabs, ".file-tab", "horizontal");
    world.hear("loaded place people", () => this.draw());
    world.hear("files", (change) => this.write(change));
  }

  draw() {
    if (!this.world.files.has(this.open)) this.open = this.preferred();
    this.drawTabs();
    this.drawSheet(plain(this.world.files.get(this.open)));
  }

  preferred() {
    const paths = [...this.world.files.keys()];
    return paths.find((path) => !isLog(path)) ?? paths[0] ?? null;
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
    this.sheet.classList.toggle("blank", !lines.length);
    if (this.open === null) return this.sheet.replaceChildren(blank(say("filesEmpty"), say("filesHint")));
    if (!lines.length) return this.sheet.replaceChildren(blank(say("emptyFile"), ""));
    const marks = this.marks.get(this.open) ?? new Set();
    return this.sheet.replaceChildren(...rows(lines, marks));
  }

  showFresh() {
    const behavior = calm() ? "auto" : "smooth";
    const target = this.sheet.querySelector(".fresh, .gone");
    target?.scrollIntoView({ block: "center", behavior });
    for (const row of this.sheet.querySelectorAll(".fresh")) row.classList.add("lit");
    for (const row of this.sheet.querySelectorAll(".gone")) setTimeout(() => row.remove(), FADE_MS);
  }
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

function rows(lines, marks) {
  let number = -1;
  return lines.map(({ kind, text }) => {
    if (kind === "removed") return row("", text, "gone");
    number += 1;
    return row(String(number + 1), text, marks.has(number) ? "fresh" : "");
  });
}

function row(number, text, look) {
  const shown = el("span", { class: `code ${shape(text)}` }, ...styled(text));
  return el("div", { class: `row ${look}` }, el("span", { class: "number" }, number), shown);
}

function shape(text) {
  if (/^#{1,6} /.test(text)) return "heading";
  return /^\s*[-*] /.test(text) ? "entry" : "";
}

function styled(text) {
  const [, lead, rest] = /^(\s*(?:[-*]|#{1,6}) )?(.*)$/s.exec(text);
  return [lead && el("span", { class: "mark" }, lead), rest || "\u200b"];
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
