/** Bot API entities (UTF-16 offsets, as JavaScript counts) to DOM nodes; never to HTML text. */

import { el } from "./dom.js";

const PLAIN = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};

/** A line break right behind these is already made by the block itself. */
const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);

/**
 * Render text with its entities.
 * @param {string} text plain text of the message
 * @param {Array<object>} entities Bot API MessageEntity objects; nested ones allowed
 * @param {{link: (url: string) => void, command: (text: string) => void}} doings what a press does
 */
export function rich(text, entities, doings) {
  const fragment = document.createDocumentFragment();
  const rest = [...(entities ?? [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  fill(fragment, text, [0, text.length], rest, doings);
  return fragment;
}

function fill(parent, text, [from, to], rest, doings) {
  let at = from;
  while (rest.length && rest[0].offset < to) {
    const entity = rest.shift();
    const start = Math.max(entity.offset, at);
    const end = Math.min(entity.offset + entity.length, to);
    if (end <= start) continue;
    const { outer, inner } = wrap(entity, text.slice(start, end), doings);
    parent.append(text.slice(at, start), outer);
    fill(inner, text, [start, end], rest, doings);
    at = BLOCKS.has(entity.type) && text[end] === "\n" ? end + 1 : end;
  }
  parent.append(text.slice(Math.min(at, to), to));
}

function wrap(entity, covered, doings) {
  if (entity.type === "expandable_blockquote") return expandable();
  const node = single(entity, covered, doings);
  return { outer: node, inner: node };
}

function single(entity, covered, doings) {
  if (entity.type in PLAIN) return el(PLAIN[entity.type]);
  if (entity.type === "text_link") return link(entity.url, doings);
  if (entity.type === "url") return link(covered, doings);
  if (entity.type === "bot_command") return command(covered, doings);
  if (entity.type === "spoiler") return spoiler();
  return el("span", { class: `entity ${entity.type}` });
}

function link(address, doings) {
  const url = /^[a-z]+:/i.test(address) ? address : `https://${address}`;
  const press = (event) => {
    event.preventDefault();
    doings.link(url);
  };
  const safe = /^(https?|tg):/i.test(url);
  return el("a", { href: safe ? url : "#", rel: "noopener noreferrer", onclick: press });
}

function command(text, doings) {
  return el("button", { type: "button", class: "inline", onclick: () => doings.command(text) });
}

function spoiler() {
  const show = (event) => event.currentTarget.classList.add("shown");
  return el("button", { type: "button", class: "spoiler", onclick: show });
}

function expandable() {
  const inner = el("summary");
  return { outer: el("details", { class: "quote" }, inner), inner };
}
