/** The left column: who the reader is, each person's interface language, and that person's chats. */

import { call } from "./api.js";
import { el, icon, portrait, roving, settle } from "./dom.js";
import { attempt } from "./notices.js";
import { LANGUAGES, speaker } from "./words.js";

/** Wire the column to the world; `open` is called after a chat was chosen. */
export function showPeople(world, open) {
  const people = document.getElementById("people");
  const chats = document.getElementById("chats");
  roving(people, ".who", "both");
  roving(chats, ".place", "vertical");
  const draw = () => {
    keepFocus(people, () => drawPeople(world, people));
    keepFocus(chats, () => drawChats(world, chats, open));
  };
  world.hear("place message edited deleted typing", draw);
}

function keepFocus(group, draw) {
  const key = group.contains(document.activeElement) && document.activeElement.dataset.key;
  draw();
  if (key) group.querySelector(`[data-key="${key}"]`)?.focus();
}

function drawPeople(world, group) {
  group.replaceChildren(...[...world.people.values()].map((person) => row(world, person)));
  settle([...group.querySelectorAll(".who")], group.querySelector("[aria-checked=true]"));
}

function row(world, person) {
  const chosen = person.id === world.me;
  const fresh = world.chatsOf(person.id).reduce((n, chat) => n + world.unread(person.id, chat.id), 0);
  const choose = el(
    "button",
    {
      type: "button",
      class: "who",
      role: "radio",
      "aria-checked": String(chosen),
      "data-key": `who ${person.id}`,
      onclick: () => world.go(person.id),
    },
    portrait(person),
    el("span", { class: "name" }, person.first_name),
    !chosen && badge(world, fresh),
  );
  return el("div", { class: "person" }, choose, languageSelect(world, person));
}

function languageSelect(world, person) {
  const say = speaker(world.person?.language_code);
  const label = say("languageOf", { name: person.first_name });
  const change = (event) => {
    const language_code = event.target.value;
    attempt(call("language", { person: person.id, language_code }));
  };
  const options = LANGUAGES.map(([code, name]) =>
    el("option", { value: code, selected: code === person.language_code }, name),
  );
  const key = `language ${person.id}`;
  return el("select", { "aria-label": label, title: label, "data-key": key, onchange: change }, options);
}

function badge(world, count) {
  if (!count) return null;
  const label = speaker(world.person?.language_code)("unread", { n: count });
  return el("span", { class: "badge", "aria-label": label, title: label }, String(count));
}

function drawChats(world, group, open) {
  const own = world.chatsOf(world.me);
  group.replaceChildren(...own.map((chat) => place(world, chat, open)));
  settle([...group.querySelectorAll(".place")], group.querySelector("[aria-current=true]"));
}

function place(world, chat, open) {
  const here = chat.id === world.here;
  const go = () => {
    world.go(world.me, chat.id);
    open();
  };
  return el(
    "button",
    {
      type: "button",
      class: "place",
      "aria-current": here && "true",
      "data-key": `chat ${chat.id}`,
      onclick: go,
    },
    chatPortrait(world, chat),
    el(
      "span",
      { class: "place-text" },
      el("span", { class: "name" }, titleOf(world, chat)),
      el("span", { class: "preview" }, preview(world, chat)),
    ),
    !here && badge(world, world.unread(world.me, chat.id)),
  );
}

/** The picture of a chat: the bot's flower for a private one. */
export function chatPortrait(world, chat) {
  if (chat.type === "private") return portrait(world.bot);
  return el("span", { class: "portrait tint-group", "aria-hidden": "true" }, icon("people"));
}

/** The name of a chat as its members see it. */
export function titleOf(world, chat) {
  return chat.type === "private" ? world.bot.first_name : chat.title;
}

function preview(world, chat) {
  const say = speaker(world.person?.language_code);
  if (world.typing.has(chat.id)) return say("typing", { name: world.bot.first_name });
  const last = [...world.messages(chat.id).values()].at(-1);
  if (!last) return chat.type === "private" ? say("privateWith") : memberNames(world, chat);
  const text = last.text ?? last.caption ?? last.document?.file_name ?? "";
  if (last.by === world.me) return `${say("you")}: ${text}`;
  return chat.type === "private" ? text : `${world.author(last).first_name}: ${text}`;
}

/** The names of a group's people, and the bot's. */
export function memberNames(world, chat) {
  const names = chat.members.map((id) => world.people.get(id)?.first_name).filter(Boolean);
  return [...names, world.bot.first_name].join(", ");
}
