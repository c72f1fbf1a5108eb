/** The message field: writing, replying, editing, the "/" menu, and refusals shown in place. */

import { call } from "./api.js";
import { excerpt } from "./bubble.js";
import { addressed, matching } from "./commands.js";
import { el, icon, roving, settle } from "./dom.js";
import { attempt } from "./notices.js";
import { suggestions } from "./words.js";

const WRITE = { kind: "write" };
const ENOUGH = 3;

/** The composer of the chat in view; it keeps one draft for each person and chat. */
export class Composer {
  constructor({ world, say }) {
    this.world = world;
    this.say = say;
    this.form = document.getElementById("composer");
    this.hints = document.getElementById("hints");
    this.drafts = new Map();
    this.declined = new Set();
    this.mode = WRITE;
    this.spot = null;
    this.build();
    world.hear("place", () => this.enter());
    world.hear("commands", () => this.draw());
    world.hear("message", ({ chat }) => chat === world.here && this.heard());
    world.hear("deleted", (gone) => this.forget(gone));
  }

  build() {
    const menu = { id: "menu", class: "slash-menu", role: "listbox", hidden: true };
    this.menu = el("ul", menu);
    this.about = el("div", { class: "about", hidden: true });
    this.error = el("p", { class: "refused", role: "alert", hidden: true });
    this.field = el("textarea", {
      id: "text",
      rows: 1,
      role: "combobox",
      "aria-controls": "menu",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
    });
    const slash = () => this.put(this.field.value ? this.field.value : "/");
    this.slash = el("button", { type: "button", class: "round slash", onclick: slash }, "/");
    this.button = el("button", { type: "submit", class: "round send" });
    this.gate = el("div", { class: "gate", hidden: true });
    this.line = el("div", { class: "line" }, this.slash, this.field, this.button);
    this.form.append(this.menu, this.about, this.error, this.line, this.gate);
    roving(this.hints, ".chip", "horizontal");
    this.form.addEventListener("submit", (event) => this.submit(event));
  }

  /** Come to another chat, or be another person: bring that draft. */
  enter() {
    const spot = `${this.world.me} ${this.world.here}`;
    if (spot === this.spot) return this.draw();
    if (this.spot) this.drafts.set(this.spot, { text: this.field.value, mode: this.mode });
    this.spot = spot;
    const draft = this.drafts.get(spot) ?? { text: "", mode: WRITE };
    this.mode = draft.mode;
    this.field.value = draft.text;
    this.refuse("");
    return this.heard();
  }

  /** Something was said here: open as a reply when the bot asks the reader for one. */
  heard() {
    const ask = this.mode.kind === "write" && this.openAsk();
    if (ask) this.mode = { kind: "reply", message: ask };
    this.draw();
  }

  openAsk() {
    const messages = [...this.world.messages(this.world.here).values()];
    const last = messages.findLastIndex((each) => each.asks?.includes(this.world.me));
    if (last < 0 || this.declined.has(messages[last].message_id)) return null;
    const answered = messages.slice(last + 1).some((each) => each.by === this.world.me);
    return answered ? null : messages[last];
  }

  forget({ chat, message_id }) {
    const { message } = this.mode;
    if (message?.message_id === message_id && message.chat.id === chat) this.write();
  }

  write() {
    this.mode = WRITE;
    this.draw();
  }

  /** Answer this message with what is written next. */
  reply(message) {
    if (this.mode.kind === "edit") this.field.value = "";
    this.mode = { kind: "reply", message };
    this.draw();
    this.field.focus();
  }

  /** Change this own message. */
  edit(message) {
    this.mode = { kind: "edit", message };
    this.put(message.text);
  }

  /** Put a text into the field and the cursor behind it. */
  put(text) {
    this.field.value = text;
    this.draw();
    this.field.focus();
    this.field.setSelectionRange(text.length, text.length);
  }

  draw() {
    const say = this.say();
    this.drawGate();
    this.drawAbout();
    const label = this.mode.kind === "edit" ? say("save") : say("send");
    this.button.replaceChildren(icon(this.mode.kind === "edit" ? "save" : "send"));
    for (const name of ["aria-label", "title"]) this.button.setAttribute(name, label);
    for (const name of ["aria-label", "title"]) this.slash.setAttribute(name, say("menu"));
    this.slash.hidden = !this.world.menu.length;
    this.field.setAttribute("aria-label", say("write"));
    this.field.placeholder = this.mode.message?.reply_markup?.input_field_placeholder || say("write");
    this.typed();
    this.drawHints();
  }

  drawGate() {
    const { person, chat } = this.world;
    const inside = chat.type !== "private" || (person.opened && !person.blocked);
    this.line.hidden = !inside;
    this.gate.hidden = inside;
    if (inside) return;
    const say = this.say();
    const text = person.blocked ? say("blocked") : say("startHint", { name: person.first_name });
    const label = person.blocked ? say("unblock") : say("start");
    const button = el("button", { type: "button", class: "main", onclick: () => this.open() }, label);
    this.gate.replaceChildren(el("p", {}, text), button);
  }

  async open() {
    const { person } = this.world;
    if (person.blocked) await attempt(call("block", { person: person.id, blocked: false }));
    else await attempt(call("start", { person: person.id }));
    this.field.focus();
  }

  drawAbout() {
    const { kind, message } = this.mode;
    this.about.hidden = kind === "write";
    if (kind === "write") return;
    const say = this.say();
    const name = this.world.author(message).first_name;
    const title = kind === "edit" ? say("editing") : say("replyTo", { name });
    const close = el(
      "button",
      { type: "button", class: "round", "aria-label": say("cancel"), onclick: () => this.leave() },
      icon("close"),
    );
    const text = el("p", {}, el("b", {}, title), el("span", {}, excerpt(message)));
    this.about.replaceChildren(icon(kind), text, close);
  }

  /** Give up replying or editing. */
  leave() {
    if (this.mode.kind === "edit") this.field.value = "";
    if (this.mode.message?.asks) this.declined.add(this.mode.message.message_id);
    this.write();
    this.field.focus();
  }

  drawHints() {
    const { chat, bot, person, me } = this.world;
    const own = [...this.world.messages(chat.id).values()].filter((each) => each.by === me);
    const said = new Set(own.map((each) => each.text));
    const free = !this.field.value && this.mode.kind === "write" && !this.line.hidden;
    this.hints.hidden = own.length >= ENOUGH || !free;
    this.hints.setAttribute("aria-label", this.say()("suggestions"));
    const fresh = suggestions(person.language_code, chat, bot.username).filter((text) => !said.has(text));
    this.hints.replaceChildren(...fresh.map((text) => this.chip(text)));
    settle([...this.hints.children]);
  }

  chip(text) {
    return el("button", { type: "button", class: "chip", title: text, onclick: () => this.put(text) }, text);
  }

  typed() {
    this.field.style.height = "auto";
    if (this.field.value) this.field.style.height = `${this.field.scrollHeight + 2}px`;
    this.button.disabled = !this.field.value.trim();
    if (this.field.value) this.hints.hidden = true;
    else if (this.hints.hidden) this.drawHints();
    this.drawMenu(matching(this.world.menu, this.field.value));
  }

  drawMenu(found) {
    this.found = found;
    this.chosen = 0;
    this.menu.hidden = !found.length;
    this.field.setAttribute("aria-expanded", String(found.length > 0));
    this.menu.setAttribute("aria-label", this.say()("menu"));
    this.menu.replaceChildren(...found.map((each, index) => this.option(each, index)));
    this.choose(0);
  }

  option({ command, description }, index) {
    const press = (event) => {
      event.preventDefault();
      this.run(index);
    };
    const id = `option-${index}`;
    const parts = [el("b", {}, `/${command}`), el("span", {}, description)];
    return el("li", { id, role: "option", onpointerdown: press }, ...parts);
  }

  choose(index) {
    if (!this.found.length) return this.field.removeAttribute("aria-activedescendant");
    this.chosen = (index + this.found.length) % this.found.length;
    [...this.menu.children].forEach((option, i) =>
      option.setAttribute("aria-selected", String(i === this.chosen)),
    );
    this.menu.children[this.chosen].scrollIntoView({ block: "nearest" });
    return this.field.setAttribute("aria-activedescendant", `option-${this.chosen}`);
  }

  commandText(index) {
    const { chat, bot } = this.world;
    return addressed(this.found[index].command, chat, bot.username);
  }

  run(index) {
    this.field.value = this.commandText(index);
    this.submit();
  }

  key(event) {
    if (event.isComposing || !this.world.ready) return;
    const act = this.found.length ? this.menuKey(event) : this.fieldKey(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  menuKey({ key, shiftKey }) {
    const acts = {
      ArrowDown: () => this.choose(this.chosen + 1),
      ArrowUp: () => this.choose(this.chosen - 1),
      Tab: shiftKey ? null : () => this.put(`${this.commandText(this.chosen)} `),
      Enter: shiftKey ? null : () => this.run(this.chosen),
      Escape: () => this.drawMenu([]),
    };
    return acts[key];
  }

  fieldKey({ key, shiftKey }) {
    if (key === "Enter" && !shiftKey) return () => this.submit();
    if (key === "Escape" && this.mode.kind !== "write") return () => this.leave();
    const last = key === "ArrowUp" && !this.field.value && this.lastOwn();
    return last ? () => this.edit(last) : null;
  }

  lastOwn() {
    const own = (each) => each.by === this.world.me && each.text && !each.forward_origin;
    return [...this.world.messages(this.world.here).values()].findLast(own);
  }

  /** Send what is written; a refusal brings the text back with the reason. */
  async submit(event = null) {
    event?.preventDefault();
    const text = this.field.value;
    if (!text.trim()) return;
    const { mode, spot } = this;
    this.field.value = "";
    this.refuse("");
    this.write();
    try {
      await this.send(text, mode);
    } catch (error) {
      this.bringBack({ text, mode }, spot, error.message);
    }
  }

  send(text, { kind, message }) {
    const place = { person: this.world.me, chat: this.world.here, text };
    if (kind === "edit") return call("edit", { ...place, message_id: message.message_id });
    if (kind === "write") return call("say", place);
    const topic = message.is_topic_message ? { topic: message.message_thread_id } : {};
    return call("say", { ...place, reply_to: message.message_id, ...topic });
  }

  bringBack({ text, mode }, spot, why) {
    if (spot !== this.spot) return this.drafts.set(spot, { text, mode });
    if (!this.field.value) {
      this.mode = mode;
      this.put(text);
    }
    return this.refuse(why || this.say()("unreachable"));
  }

  refuse(why) {
    this.error.hidden = !why;
    this.error.textContent = why && this.say()("notSent", { why });
  }
}
