/** One message as it is drawn: sender, origin, quote, text, time, keyboard, and its menu button. */

import { el, icon, portrait } from "./dom.js";
import { rich } from "./entities.js";
import { keyboard } from "./keyboard.js";

const EXCERPT = 140;

/**
 * Draw a message.
 * @param {object} message as the server tells it
 * @param {object} look `{own, first, group}`: written by the reader; first of a run; in a group
 * @param {object} doings world, say, presses, link, command, actions, jump
 */
export function bubble(message, look, doings) {
  const side = look.own ? "own" : "other";
  const author = doings.world.author(message);
  const text = el("div", { class: "bubble" }, ...content(message, look, doings));
  return el(
    "article",
    {
      class: `msg ${side} ${look.first ? "first" : ""} ${look.group ? "in-group" : ""}`,
      tabIndex: -1,
      "data-id": String(message.message_id),
      "aria-label": `${author.first_name}, ${clock(message.date, doings.world.person)}`,
      "aria-keyshortcuts": "Enter",
    },
    look.group && !look.own && look.first && portrait(author),
    el("div", { class: "stack" }, text, keyboard(message, doings.presses)),
    menuButton(message, doings),
  );
}

function content(message, look, doings) {
  return [
    el("p", { class: "sender" }, doings.world.author(message).first_name),
    forwarded(message, doings),
    quote(message, doings),
    attachment(message),
    body(message, doings),
    reactions(message),
    meta(message, doings),
  ];
}

function forwarded(message, { say }) {
  const origin = message.forward_origin;
  if (!origin) return null;
  const name =
    origin.sender_user?.first_name ?? origin.sender_user_name ?? origin.sender_chat?.title ?? "…";
  return el("p", { class: "forwarded" }, icon("forward"), say()("forwardedFrom", { name }));
}

function quote(message, { world, jump }) {
  const original = message.reply_to_message;
  if (!original) return null;
  const id = original.message_id;
  const known = world.messages(message.chat.id).get(id);
  const name = known ? world.author(known).first_name : (original.from?.first_name ?? "");
  return el(
    "button",
    { type: "button", class: "quoted", tabIndex: -1, onclick: () => jump(id) },
    el("b", {}, name),
    el("span", {}, excerpt(known ?? original)),
  );
}

function attachment(message) {
  if (message.photo) return picture(message);
  if (!message.document) return null;
  return el("p", { class: "attachment" }, icon("files"), el("span", {}, message.document.file_name));
}

function picture(message) {
  const { file_unique_id, width, height } = message.photo.at(-1);
  const alt = message.caption ?? "";
  const src = `people/photo/${file_unique_id}`;
  const shown = el("img", { class: "photo", src, alt, width, height, loading: "lazy" });
  return el("a", { href: src, target: "_blank", rel: "noopener" }, shown);
}

function body(message, doings) {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities;
  return text && el("div", { class: "text", dir: "auto" }, rich(text, entities, doings));
}

function reactions(message) {
  const all = (message.reactions ?? []).map((each) => el("span", {}, each.emoji));
  return all.length > 0 && el("p", { class: "reactions" }, ...all);
}

function meta(message, { world, say }) {
  const time = clock(message.date, world.person);
  const edited = message.edited && el("span", {}, say()("edited"));
  const iso = new Date(message.date * 1000).toISOString();
  return el("p", { class: "meta" }, edited, el("time", { datetime: iso }, time));
}

function menuButton(message, { say, actions }) {
  const label = say()("actions");
  const open = (event) => actions(message, event.currentTarget);
  return el(
    "button",
    {
      type: "button",
      class: "round act",
      tabIndex: -1,
      title: label,
      "aria-label": label,
      "aria-haspopup": "menu",
      onclick: open,
    },
    icon("more"),
  );
}

/** A service message (somebody joined or left) as a quiet line; null for ordinary messages. */
export function service(message, say) {
  const joined = message.new_chat_members?.map((who) => who.first_name).join(", ");
  const text =
    (joined && say()("joined", { name: joined })) ||
    (message.left_chat_member && say()("left", { name: message.left_chat_member.first_name })) ||
    (hasContent(message) ? null : "·");
  return text && el("p", { class: "service", "data-id": String(message.message_id) }, text);
}

function hasContent(message) {
  return message.text || message.caption || message.document || message.photo;
}

/** The beginning of a message on one line. */
export function excerpt(message) {
  const text = message.text ?? message.caption ?? message.document?.file_name ?? "";
  return text.slice(0, EXCERPT).replace(/\s+/g, " ");
}

/** Hours and minutes as the person's language writes them. */
export function clock(seconds, person) {
  const style = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Date(seconds * 1000).toLocaleTimeString(person?.language_code ?? "en", style);
}
