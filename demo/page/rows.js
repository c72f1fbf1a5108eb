/** Lines of a file as rows with their numbers; of a very long file only a stretch. */

import { el } from "./dom.js";

const MOST = 1200;

/** The stretch of lines to draw, `[from, to)`, with `centre` in its middle. */
export function around(length, centre) {
  const from = Math.max(0, Math.min(centre - MOST / 2, length - MOST));
  return [from, Math.min(length, from + MOST)];
}

/**
 * Rows of the lines `[from, to)`.
 * @param {Array<{kind: string, text: string}>} lines as `compare` gives them
 * @param {[number, number]} stretch which of them
 * @param {Set<number>} marks 0-based numbers of the lines that are new
 */
export function rows(lines, [from, to], marks) {
  const before = lines.slice(0, from).filter((line) => line.kind !== "removed");
  let number = before.length - 1;
  return lines.slice(from, to).map(({ kind, text }) => {
    if (kind === "removed") return row("", text, "gone");
    number += 1;
    return row(String(number + 1), text, marks.has(number) ? "fresh" : "");
  });
}

function row(number, text, look) {
  const shown = el("span", { class: `code ${shape(text)}` }, ...styled(text));
  return el("div", { class: `row ${look}` }, el("span", { class: "number" }, number), shown);
}

function shape(text) {
  if (/^#{1,6} /.test(text)) return "heading";
  return /^\s*[-*] /.test(text) ? "entry" : "";
}

function styled(text) {
  const [, lead, rest] = /^(\s*(?:[-*]|#{1,6}) )?(.*)$/s.exec(text);
  return [lead && el("span", { class: "mark" }, lead), rest || "\u200b"];
}
