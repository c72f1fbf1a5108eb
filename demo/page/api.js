/** The demo server as the page sees it: people's calls, and the stream of what happened. */

/** The server refused a call or could not be reached; `message` says why, "" when unreachable. */
export class Refused extends Error {}

/** POST one of the people's calls; returns the answer, raises {@link Refused}. */
export async function call(name, body) {
  const response = await reach(`people/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? response.statusText);
  return answer;
}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (cause) {
    throw new Refused("", { cause });
  }
}

async function read(name) {
  const response = await reach(`people/${name}`, { cache: "no-store" });
  if (!response.ok) throw new Refused(response.statusText);
  return response.json();
}

const EVENTS = "message edited deleted answer action draft files commands people".split(" ");
const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

/**
 * Follow the server for as long as the page lives. After each (re)connection the whole state is
 * read again and then every event since is played on top, so nothing is missed or stale.
 * @param {{state: Function, event: Function, lost: Function}} hear
 */
export function follow(hear) {
  let wait = FIRST_WAIT;
  const ears = {
    ...hear,
    fresh: () => (wait = FIRST_WAIT),
    failed: () => {
      hear.lost();
      setTimeout(() => new Stream(ears), wait);
      wait = Math.min(LONGEST_WAIT, wait * 2);
    },
  };
  return new Stream(ears);
}

/** One connection to the event stream; it ends at the first failure and says so once. */
class Stream {
  constructor(ears) {
    this.ears = ears;
    this.waiting = [];
    this.over = false;
    this.source = new EventSource("people/events");
    for (const name of EVENTS) this.source.addEventListener(name, (event) => this.take(name, event));
    for (const name of ["open", "reset"]) this.source.addEventListener(name, () => this.refresh());
    this.source.addEventListener("error", () => this.fail());
  }

  take(name, event) {
    const data = JSON.parse(event.data);
    if (this.waiting) this.waiting.push({ id: Number(event.lastEventId), name, data });
    else this.ears.event(name, data);
  }

  async refresh() {
    this.waiting = [];
    try {
      const [state, files] = await Promise.all([read("state"), read("files")]);
      if (!this.over) this.catchUp(state, files);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.fail();
    }
  }

  catchUp(state, files) {
    this.ears.state(state, files);
    const late = (this.waiting ?? []).filter((each) => each.id > state.last_event);
    this.waiting = null;
    for (const { name, data } of late) this.ears.event(name, data);
    this.ears.fresh();
  }

  fail() {
    if (this.over) return;
    this.over = true;
    this.source.close();
    this.ears.failed();
  }
}
