/** Inline keyboards: rows of buttons that wait with a spinner until the bot has answered. */

import { call } from "./api.js";
import { el, icon, roving } from "./dom.js";
import { ask, attempt, toast } from "./notices.js";

const PATIENCE_MS = 15_000;

/** Keeps which buttons wait for an answer of the bot, and shows the answers. */
export class Presses {
  constructor(world, { say, follow }) {
    this.world = world;
    this.say = say;
    this.follow = follow;
    this.waiting = new Map();
    this.early = new Map();
    world.hear("answer", (answer) => this.settle(answer));
  }

  /** Is this button of this message waiting? */
  waits(message, data) {
    return [...this.waiting.values()].some((press) => same(press, message, data));
  }

  /** Press a button as the reader. */
  async press(message, data) {
    if (this.waits(message, data)) return;
    const place = { chat: message.chat.id, message_id: message.message_id, data };
    const key = Symbol("press");
    this.waiting.set(key, place);
    this.redraw(place);
    const sent = await attempt(call("tap", { person: this.world.me, ...place }));
    this.waiting.delete(key);
    if (sent) this.expect(sent.callback_query_id, place);
    else this.redraw(place);
  }

  expect(id, place) {
    const answer = this.early.get(id);
    this.waiting.set(id, place);
    if (answer) this.settle(answer);
    else setTimeout(() => this.giveUp(id), PATIENCE_MS);
  }

  giveUp(id) {
    if (!this.waiting.has(id)) return;
    this.finish(id);
    toast(this.say()("late"));
  }

  settle(answer) {
    const id = answer.callback_query_id;
    if (!this.waiting.has(id)) {
      this.early.set(id, answer);
      setTimeout(() => this.early.delete(id), PATIENCE_MS);
      return;
    }
    this.finish(id);
    if (answer.url) this.follow(answer.url);
    if (answer.text && answer.show_alert) ask(answer.text, [[this.say()("ok")]]);
    else if (answer.text) toast(answer.text);
  }

  finish(id) {
    const place = this.waiting.get(id);
    this.waiting.delete(id);
    this.redraw(place);
  }

  redraw({ chat, message_id }) {
    const message = this.world.messages(chat).get(message_id);
    if (message) this.world.tell("edited", { chat, message });
  }
}

function same(press, message, data) {
  const here = press.chat === message.chat.id && press.message_id === message.message_id;
  return here && press.data === data;
}

/** Draw the keyboard of a message; null when it has none. */
export function keyboard(message, presses) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!rows?.length) return null;
  const label = presses.say()("buttons");
  const group = el("div", { class: "keyboard", role: "group", "aria-label": label });
  group.append(...rows.map((row, line) => el("div", { class: "keys" }, ...row.map(drawIn(line)))));
  roving(group, ".key");
  return group;

  function drawIn(line) {
    const alone = rows[line].length === 1;
    return (button, index) => key(button, `${line}.${index}`, { message, presses, alone });
  }
}

/** The marks with which a bot shows that a choice is off or on. */
const OFF = /^\u2610/u;
const ON = /^\u2611/u;

function key(button, position, { message, presses, alone }) {
  const choice = OFF.test(button.text) || ON.test(button.text);
  const waits = button.callback_data !== undefined && presses.waits(message, button.callback_data);
  return el(
    "button",
    {
      type: "button",
      tabIndex: -1,
      class: `key ${button.style ?? ""} ${waits ? "waits" : ""} ${choice && alone ? "choice" : ""}`,
      "data-key": position,
      "aria-busy": waits && "true",
      "aria-pressed": choice && String(ON.test(button.text)),
      onclick: () => act(button, message, presses),
    },
    el("span", {}, button.text),
    button.url && icon("link"),
  );
}

function act(button, message, presses) {
  if (button.url) presses.follow(button.url);
  else if (button.copy_text) copy(button.copy_text.text, presses.say());
  else presses.press(message, button.callback_data ?? "");
}

async function copy(text, say) {
  await navigator.clipboard?.writeText(text);
  toast(say("copied"));
}
