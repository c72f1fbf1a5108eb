/** Quiet notices: a banner for the connection, toasts, and a dialog for what must be read. */

import { el } from "./dom.js";

const TOAST_MS = 4500;

/** Show a sentence for a few seconds. */
export function toast(text) {
  const note = el("p", { class: "toast" }, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), TOAST_MS);
}

/** Show the banner, or hide it with "". */
export function banner(text) {
  const place = document.getElementById("banner");
  place.textContent = text;
  place.hidden = !text;
}

/**
 * Ask with a modal dialog; Esc closes it and the focus goes back to where it was.
 * `choices` are `[label, action]`; the first one is the main one.
 */
export function ask(text, choices) {
  const dialog = el("dialog", { class: "ask", "aria-label": text });
  const buttons = choices.map(([label, action], index) =>
    el("button", { type: "button", class: index ? "" : "main", onclick: press }, label),
  );
  function press(event) {
    dialog.close();
    choices[buttons.indexOf(event.currentTarget)][1]?.();
  }
  dialog.append(el("p", {}, text), el("div", { class: "choices" }, ...buttons));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  buttons[0].focus();
}

/** Wait for a call whose answer nobody needs; a refusal becomes a toast. */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    toast(error.message || "…");
    return null;
  }
}
