/** Which lines of a file are new, stayed or went: the shortest way from the old text to the new. */

/** More single steps than this are not worked out: all is then old lines out, new lines in. */
const MOST_STEPS = 1000;

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
  const reached = forward(old, now);
  if (!reached) return [...marked("removed", old), ...marked("added", now)];
  return back(old, now, reached);
}

/**
 * Myers' greedy search: after each number of steps, how far down the old text each diagonal came.
 * Returns those stages, or null when there are too many steps.
 */
function forward(old, now) {
  const far = new Map([[1, 0]]);
  const stages = [];
  for (let steps = 0; steps <= Math.min(MOST_STEPS, old.length + now.length); steps += 1) {
    stages.push(new Map(far));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const start = far.get(origin(far, diagonal, steps)) + (down(far, diagonal, steps) ? 0 : 1);
      const end = slide(old, now, start, diagonal);
      far.set(diagonal, end);
      if (end >= old.length && end - diagonal >= now.length) return stages;
    }
  }
  return null;
}

function down(far, diagonal, steps) {
  if (diagonal === -steps) return true;
  return diagonal !== steps && far.get(diagonal - 1) < far.get(diagonal + 1);
}

function origin(far, diagonal, steps) {
  return down(far, diagonal, steps) ? diagonal + 1 : diagonal - 1;
}

function slide(old, now, start, diagonal) {
  let i = start;
  while (i < old.length && i - diagonal < now.length && old[i] === now[i - diagonal]) i += 1;
  return i;
}

function back(old, now, stages) {
  const steps = [];
  let [i, j] = [old.length, now.length];
  for (let step = stages.length - 1; step >= 0; step -= 1) {
    const from = origin(stages[step], i - j, step);
    const [x, y] = step ? [stages[step].get(from), stages[step].get(from) - from] : [0, 0];
    while (i > x && j > y) {
      steps.push({ kind: "same", text: now[j - 1] });
      [i, j] = [i - 1, j - 1];
    }
    if (step) steps.push(i > x ? { kind: "removed", text: old[x] } : { kind: "added", text: now[y] });
    [i, j] = [x, y];
  }
  return steps.reverse();
}
