/** What a link means inside the demo: a deep link to the bot, or an address of the outside web. */

const HOSTS = ["t.me", "telegram.me", "telegram.dog"];

/**
 * Read an address.
 * @returns {{kind: "start", payload: string} | {kind: "chat"} | {kind: "web", url: string}}
 */
export function readLink(address, username) {
  const url = parsed(address);
  if (!url) return { kind: "web", url: address };
  if (addressee(url).toLowerCase() !== username.toLowerCase()) return { kind: "web", url: address };
  if (!url.searchParams.has("start")) return { kind: "chat" };
  return { kind: "start", payload: url.searchParams.get("start") };
}

function parsed(address) {
  const full = /^[a-z]+:/i.test(address) ? address : `https://${address}`;
  return URL.canParse(full) ? new URL(full) : null;
}

function addressee(url) {
  if (url.protocol === "tg:") return url.searchParams.get("domain") ?? "";
  return HOSTS.includes(url.hostname) ? url.pathname.replace(/^\/+|\/+$/g, "") : "";
}
