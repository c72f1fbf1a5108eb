/** What the page knows: people, chats, messages, files, and who and where the reader is. */

const TYPING_MS = 5200;
const DRAFT_MS = 30_000;

/** The state of the demo; tells its listeners what changed by events of the same names. */
export class World extends EventTarget {
  constructor() {
    super();
    this.ready = false;
    this.bot = null;
    this.people = new Map();
    this.chats = new Map();
    this.threads = new Map();
    this.commands = {};
    this.files = new Map();
    this.me = null;
    this.here = null;
    this.seen = new Map();
    this.typing = new Map();
  }

  /** Take over the whole state as the server has it (at the start and after a lost connection). */
  take(state, files) {
    this.bot = { ...state.bot, is_bot: true };
    this.people = byId(state.people);
    this.chats = byId(state.chats);
    this.commands = state.commands;
    this.threads = new Map([...this.chats.keys()].map((id) => [id, thread(state.messages[id])]));
    this.files = new Map(files.map((file) => [file.path, file.text]));
    if (!this.ready) this.seeAll();
    this.ready = true;
  }

  /** Take over one event of the stream. */
  play(name, data) {
    const plays = {
      message: () => this.put(data),
      edited: () => this.put(data),
      deleted: () => this.drop(data),
      action: () => this.act(data),
      draft: () => this.act(data),
      files: () => this.write(data),
      commands: () => this.obey(data),
      people: () => this.meet(data),
      answer: () => this.tell("answer", data),
    };
    plays[name]?.();
  }

  put({ chat, message }) {
    const messages = this.messages(chat);
    const fresh = !messages.has(message.message_id);
    messages.set(message.message_id, message);
    if (message.by === "bot") this.rest(chat);
    if (fresh && this.here === chat) this.see();
    this.tell(fresh ? "message" : "edited", { chat, message });
  }

  drop({ chat, message_id }) {
    this.messages(chat).delete(message_id);
    this.tell("deleted", { chat, message_id });
  }

  act({ chat, text = "", entities = [] }) {
    this.rest(chat);
    const timer = setTimeout(() => this.rest(chat), text ? DRAFT_MS : TYPING_MS);
    this.typing.set(chat, { timer, text, entities });
    this.tell("typing", { chat });
  }

  rest(chat) {
    if (!this.typing.has(chat)) return;
    clearTimeout(this.typing.get(chat).timer);
    this.typing.delete(chat);
    this.tell("typing", { chat });
  }

  write({ path, text }) {
    const before = this.files.get(path) ?? "";
    this.files.delete(path);
    if (text !== null) this.files = new Map([[path, text], ...this.files]);
    this.tell("files", { path, before, text });
  }

  obey({ commands }) {
    this.commands = commands;
    this.tell("commands");
  }

  meet({ people, chats }) {
    this.people = byId(people);
    this.chats = byId(chats);
    if (this.me) this.go(this.me, this.here);
  }

  /** Be a person, in one of that person's chats (the last one visited, else the private one). */
  go(person, chat = null) {
    const own = this.chatsOf(person).map((each) => each.id);
    this.me = person;
    this.here = [chat, this.here, person].find((id) => own.includes(id)) ?? own[0];
    this.see();
    this.tell("place");
  }

  see() {
    this.seen.set(`${this.me} ${this.here}`, newest(this.messages(this.here)));
  }

  seeAll() {
    for (const person of this.people.keys()) {
      for (const chat of this.chatsOf(person)) {
        this.seen.set(`${person} ${chat.id}`, newest(this.messages(chat.id)));
      }
    }
  }

  /** How many messages of others a person has not looked at in a chat. */
  unread(person, chat) {
    const last = this.seen.get(`${person} ${chat}`) ?? 0;
    const isNew = (message) => message.message_id > last && message.by !== person;
    return [...this.messages(chat).values()].filter(isNew).length;
  }

  messages(chat) {
    if (!this.threads.has(chat)) this.threads.set(chat, new Map());
    return this.threads.get(chat);
  }

  chatsOf(person) {
    return [...this.chats.values()].filter((chat) => chat.members.includes(person));
  }

  /** Who wrote a message: a person of the demo, or the bot. */
  author(message) {
    return this.people.get(message.by) ?? this.bot;
  }

  /** The bot's commands that the reader is offered here. */
  get menu() {
    return this.commands[this.here]?.[this.me] ?? [];
  }

  get person() {
    return this.people.get(this.me);
  }

  get chat() {
    return this.chats.get(this.here);
  }

  tell(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  hear(names, listener) {
    for (const name of names.split(" ")) {
      this.addEventListener(name, (event) => listener(event.detail, event.type));
    }
  }
}

function byId(list) {
  return new Map(list.map((each) => [each.id, each]));
}

function thread(messages = []) {
  const present = messages.filter((message) => !message.deleted);
  return new Map(present.map((message) => [message.message_id, message]));
}

function newest(messages) {
  return [...messages.keys()].reduce((most, id) => Math.max(most, id), 0);
}
