/** The middle: the head of the chat, and the log of its messages kept in step with the world. */

import { call } from "./api.js";
import { onLongPress, openActions } from "./actions.js";
import { bubble, service } from "./bubble.js";
import { calm, el, icon, roving, settle } from "./dom.js";
import { rich } from "./entities.js";
import { attempt } from "./notices.js";
import { chatPortrait, memberNames, titleOf } from "./people.js";

const RUN_SECONDS = 300;
const NEAR = 80;

/** The log of the chat that the reader looks at. */
export class Talk {
  constructor(doings) {
    this.doings = { ...doings, jump: (id) => this.jump(id) };
    this.doings.actions = (message, anchor) => openActions(message, anchor, this.doings);
    this.world = doings.world;
    this.log = document.getElementById("log");
    this.newest = document.getElementById("newest");
    this.stick = true;
    this.listen();
  }

  listen() {
    this.world.hear("place", () => this.draw());
    this.world.hear("message", ({ chat, message }) => chat === this.world.here && this.add(message));
    this.world.hear("edited", ({ chat, message }) => chat === this.world.here && this.change(message));
    this.world.hear("deleted", ({ chat, message_id }) => chat === this.world.here && this.remove(message_id));
    this.world.hear("typing", () => this.drawTyping());
    this.log.addEventListener("scroll", () => this.showNewest(), { passive: true });
    this.log.addEventListener("keydown", (event) => this.key(event));
    this.log.addEventListener("focusin", (event) => this.stand(event.target.closest(".msg")));
    this.newest.addEventListener("click", () => this.toEnd());
    roving(this.log, ".msg", "vertical");
    onLongPress(this.log, (element) => this.menu(element));
    new ResizeObserver(() => this.stick && this.toEnd()).observe(this.log);
  }

  /** Draw the whole chat anew. */
  draw() {
    this.drawHead();
    this.newest.replaceChildren(icon("down"));
    this.newest.setAttribute("aria-label", this.doings.say()("newest"));
    this.log.setAttribute("aria-label", this.doings.say()("log"));
    this.log.setAttribute("aria-busy", "true");
    const messages = [...this.world.messages(this.world.here).values()];
    this.log.replaceChildren(...messages.map((each, i) => this.article(each, messages[i - 1])));
    if (!messages.length) this.log.append(this.empty());
    this.drawTyping();
    this.stand(this.log.querySelector(".msg:last-of-type"));
    this.toEnd();
    this.log.removeAttribute("aria-busy");
  }

  drawHead() {
    const say = this.doings.say();
    const { chat, person } = this.world;
    const head = document.getElementById("talk-head");
    const group = chat.type !== "private";
    const under = group ? memberNames(this.world, chat) : `@${this.world.bot.username}`;
    const title = el("h2", { id: "talk-title" }, titleOf(this.world, chat));
    const block = !group && person.opened && !person.blocked && this.blockButton(say("block"));
    head.replaceChildren(
      chatPortrait(this.world, chat),
      el("div", { class: "talk-title" }, title, el("p", {}, under)),
      el("span", { class: "as" }, say("as", { name: person.first_name })),
      block || "",
    );
  }

  blockButton(label) {
    const block = () => attempt(call("block", { person: this.world.me, blocked: true }));
    return el("button", { type: "button", class: "quiet", onclick: block }, label);
  }

  empty() {
    const say = this.doings.say();
    const kind = this.world.chat.type === "private" ? "emptyPrivate" : "emptyGroup";
    const hint = say(`${kind}Hint`);
    return el("div", { class: "empty" }, icon("flower"), el("h3", {}, say(kind)), el("p", {}, hint));
  }

  article(message, before) {
    const line = service(message, this.doings.say);
    if (line) return line;
    const near = before && before.by === message.by && message.date - before.date < RUN_SECONDS;
    const own = message.by === this.world.me;
    const group = this.world.chat.type !== "private";
    return bubble(message, { own, group, first: !near }, this.doings);
  }

  add(message) {
    const stay = this.stick || message.by === this.world.me;
    const before = [...this.world.messages(this.world.here).values()].at(-2);
    const article = this.article(message, before);
    article.classList.add("arrives");
    this.log.querySelector(".empty")?.remove();
    this.log.append(article);
    this.drawTyping();
    if (!this.log.contains(document.activeElement)) this.stand(article);
    if (stay) this.toEnd();
    else this.showNewest(true);
  }

  change(message) {
    const old = this.find(message.message_id);
    if (!old) return;
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const stop = old.classList.contains("stop");
    const messages = [...this.world.messages(this.world.here).values()];
    const at = messages.findIndex((each) => each.message_id === message.message_id);
    const next = this.article(message, messages[at - 1]);
    const stay = this.stick;
    old.replaceWith(next);
    if (stop) this.stand(next);
    if (focus) refocus(next, focus);
    if (stay) this.toEnd();
  }

  remove(id) {
    const article = this.find(id);
    if (!article) return;
    const gone = () => this.world.messages(this.world.here).has(id) || article.remove();
    article.classList.add("leaves");
    if (calm()) gone();
    else setTimeout(gone, 220);
  }

  find(id) {
    return this.log.querySelector(`[data-id="${id}"]`);
  }

  drawTyping() {
    const typing = this.world.typing.get(this.world.here);
    const stay = this.stick;
    this.log.querySelector(".typing")?.remove();
    if (!typing) return;
    const say = this.doings.say();
    const label = say("typing", { name: this.world.bot.first_name });
    const dots = [1, 2, 3].map((n) => el("i", { class: `dot-${n}`, "aria-hidden": "true" }));
    const inside = typing.text ? [rich(typing.text, typing.entities, this.doings)] : dots;
    this.log.append(el("div", { class: "typing", "aria-label": label, role: "status" }, ...inside));
    if (stay) this.toEnd();
  }

  /** Let one message be the Tab stop of the log, and its buttons the ones that Tab reaches next. */
  stand(article) {
    if (!article || article.classList.contains("stop")) return;
    for (const old of this.log.querySelectorAll(".msg.stop")) reach(old, false);
    reach(article, true);
  }

  key(event) {
    const article = event.target.closest(".msg");
    if (event.target !== article || !article) return;
    if (event.key === "Enter" || event.key === "ContextMenu") this.menu(article, event);
    if (event.key === "ArrowRight") article.querySelector(".key")?.focus();
  }

  menu(article, event = null) {
    event?.preventDefault();
    const message = this.world.messages(this.world.here).get(Number(article.dataset.id));
    const button = article.querySelector(".act");
    const anchor = button.offsetParent ? button : article.querySelector(".bubble");
    if (message) this.doings.actions(message, anchor);
  }

  jump(id) {
    const article = this.find(id);
    if (!article) return;
    article.scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
    article.classList.remove("flash");
    requestAnimationFrame(() => article.classList.add("flash"));
    this.stand(article);
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
    this.showNewest();
  }

  showNewest(fresh = false) {
    const rest = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight;
    this.stick = rest < NEAR && !fresh;
    this.newest.hidden = rest < NEAR;
  }
}

function reach(article, yes) {
  article.classList.toggle("stop", yes);
  article.tabIndex = yes ? 0 : -1;
  const keys = [...article.querySelectorAll(".key")];
  for (const key of keys) key.tabIndex = -1;
  if (yes) settle(keys);
}

function refocus(article, focus) {
  const twin = article.querySelector(`.key[data-key="${focus.dataset.key}"]`);
  (twin ?? article.querySelector(".key") ?? article).focus({ preventScroll: true });
}
