/** Which lines of a file are new, stayed or went: the longest common run of lines, from both ends. */

const LIMIT = 1_000_000;

/** Lines as the product counts them: what "\n" ends, plus an unterminated last one. */
export function linesOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Compare two texts line by line.
 * @returns {Array<{kind: "same" | "added" | "removed", text: string}>} in reading order
 */
export function compare(before, after) {
  const [old, now] = [linesOf(before), linesOf(after)];
  const head = run(old, now, (lines, i) => lines[i], Math.min(old.length, now.length));
  const room = Math.min(old.length, now.length) - head;
  const tail = run(old, now, (lines, i) => lines[lines.length - 1 - i], room);
  return [
    ...marked("same", now.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...marked("same", now.slice(now.length - tail)),
  ];
}

function run(old, now, at, most) {
  let length = 0;
  while (length < most && at(old, length) === at(now, length)) length += 1;
  return length;
}

function marked(kind, lines) {
  return lines.map((text) => ({ kind, text }));
}

function middle(old, now) {
  if (old.length * now.length > LIMIT) return [...marked("removed", old), ...marked("added", now)];
  return walk(old, now, table(old, now));
}

function table(old, now) {
  const longest = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(longest[i + 1][j], longest[i][j + 1]);
      longest[i][j] = old[i] === now[j] ? longest[i + 1][j + 1] + 1 : skip;
    }
  }
  return longest;
}

function walk(old, now, longest) {
  const steps = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      steps.push({ kind: "same", text: now[j] });
      [i, j] = [i + 1, j + 1];
    } else if (longest[i + 1][j] >= longest[i][j + 1]) {
      steps.push({ kind: "removed", text: old[i++] });
    } else {
      steps.push({ kind: "added", text: now[j++] });
    }
  }
  return [...steps, ...marked("removed", old.slice(i)), ...marked("added", now.slice(j))];
}
