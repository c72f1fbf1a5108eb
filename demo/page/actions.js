/** The small menu of a message: reply, forward, edit, delete. */

import { call } from "./api.js";
import { el, icon, roving, settle } from "./dom.js";
import { ask, attempt } from "./notices.js";
import { titleOf } from "./people.js";

const GAP = 6;

/** Open the menu beside `anchor`; Esc or a press elsewhere closes it. */
export function openActions(message, anchor, { world, say, composer }) {
  const items = entries(message, { world, say, composer });
  const menu = el("div", { class: "menu", role: "menu", popover: "auto", "aria-label": say()("actions") });
  menu.append(...items.map(([name, act]) => item(name, say(), () => finish(menu, act))));
  roving(menu, "button", "vertical");
  document.body.append(menu);
  menu.addEventListener("toggle", (event) => event.newState === "closed" && menu.remove());
  menu.showPopover();
  place(menu, anchor);
  settle([...menu.children]);
  menu.firstChild.focus();
}

function entries(message, { world, say, composer }) {
  const own = message.by === world.me;
  const edit = own && message.text !== undefined && !message.forward_origin;
  return [
    ["reply", () => composer.reply(message)],
    ["forward", () => chooseTarget(message, { world, say })],
    edit && ["edit", () => composer.edit(message)],
    own && ["remove", () => attempt(call("delete", { person: world.me, ...spot(message) }))],
  ].filter(Boolean);
}

function spot(message) {
  return { chat: message.chat.id, message_id: message.message_id };
}

function item(name, say, act) {
  return el("button", { type: "button", role: "menuitem", class: name, onclick: act }, icon(name), say(name));
}

function finish(menu, act) {
  menu.hidePopover();
  act();
}

function place(menu, anchor) {
  const [box, size] = [anchor.getBoundingClientRect(), menu.getBoundingClientRect()];
  const below = box.bottom + GAP + size.height < innerHeight;
  const top = below ? box.bottom + GAP : Math.max(GAP, box.top - GAP - size.height);
  const left = Math.min(innerWidth - size.width - GAP, Math.max(GAP, box.right - size.width));
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
}

function chooseTarget(message, { world, say }) {
  const forward = async (to) => {
    const sent = await attempt(call("forward", { person: world.me, ...spot(message), to }));
    if (sent) world.go(world.me, to);
  };
  const targets = world.chatsOf(world.me).map((chat) => [titleOf(world, chat), () => forward(chat.id)]);
  ask(say()("forwardTo"), [...targets, [say()("cancel")]]);
}

const HOLD_MS = 450;

/**
 * Call `act` with the message element on which a finger rested, when it is lifted (a menu that
 * opens under the finger would be closed by lifting it).
 */
export function onLongPress(log, act) {
  let hold = null;
  const stop = () => {
    clearTimeout(hold?.timer);
    hold?.element.classList.remove("held");
    hold = null;
  };
  log.addEventListener("pointerdown", (event) => {
    const element = event.target.closest(".msg");
    if (event.pointerType === "mouse" || !element) return;
    hold = { element, long: false, timer: setTimeout(() => rest(hold), HOLD_MS) };
  });
  log.addEventListener("pointerup", () => {
    const element = hold?.long && hold.element;
    stop();
    if (element) setTimeout(() => act(element));
  });
  log.addEventListener("contextmenu", (event) => hold && event.preventDefault());
  for (const name of ["pointercancel", "scroll"]) log.addEventListener(name, stop);
}

function rest(hold) {
  hold.long = true;
  hold.element.classList.add("held");
}
