/** The page's start: builds the parts, follows the server, and keeps address and words in step. */

import { call, follow } from "./api.js";
import { Composer } from "./composer.js";
import { Shelf } from "./files.js";
import { Appearance, Panes, readAddress, translate, writeAddress } from "./frame.js";
import { Presses } from "./keyboard.js";
import { readLink } from "./links.js";
import { ask, attempt, banner } from "./notices.js";
import { showPeople } from "./people.js";
import { Talk } from "./talk.js";
import { speaker, spoken } from "./words.js";
import { World } from "./world.js";

const world = new World();
const say = () => speaker(world.person?.language_code ?? navigator.language.slice(0, 2));

const panes = new Panes(say);
const appearance = new Appearance(say);
const presses = new Presses(world, { say, follow: followLink });
const composer = new Composer({ world, say });
const doings = { world, say, presses, composer, link: followLink, command: sayCommand };

new Talk(doings);
new Shelf({ world, say }, () => panes.dot("shelf"));
showPeople(world, () => panes.show("talk"));

world.hear("place", dress);
world.hear("message", ({ chat, message }) => {
  if (chat === world.here && message.by !== world.me) panes.dot("talk");
});
addEventListener("hashchange", goToAddress);
document.addEventListener("visibilitychange", () => world.ready && world.see());

panes.show("talk");
banner(say()("loading"));
follow({ state: arrive, event: (name, data) => world.play(name, data), lost });

function arrive(state, files) {
  const first = !world.ready;
  world.take(state, files);
  banner("");
  if (first) goToAddress();
  else world.go(world.me, world.here);
  if (first && matchMedia("(pointer: fine)").matches) document.getElementById("text").focus();
}

function lost() {
  banner(say()("lost"));
}

function goToAddress() {
  const { person, chat } = readAddress();
  const first = world.people.keys().next().value;
  world.go(world.people.has(person) ? person : first, chat);
}

function dress() {
  translate(say(), spoken(world.person.language_code));
  appearance.draw();
  panes.draw();
  writeAddress(world);
}

/** Follow a link inside the demo: a deep link opens the private chat; others are shown first. */
async function followLink(address) {
  const link = readLink(address, world.bot.username);
  if (link.kind === "web") return outside(address);
  world.go(world.me, world.me);
  panes.show("talk");
  if (link.kind === "start") await attempt(call("start", { person: world.me, payload: link.payload }));
  return undefined;
}

function outside(url) {
  const open = () => window.open(url, "_blank", "noopener,noreferrer");
  const choices = [[say()("close")]];
  if (/^https?:/i.test(url)) choices.push([say()("open"), open]);
  ask(`${say()("outside")}: ${url}`, choices);
}

function sayCommand(text) {
  attempt(call("say", { person: world.me, chat: world.here, text }));
}
