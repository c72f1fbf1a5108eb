/** The page's own few sentences, in English and Czech; what the bot says comes from the bot. */

/** Languages a person may choose as the interface language, each by its own name. */
export const LANGUAGES = [
  ["en", "English"],
  ["cs", "Čeština"],
  ["sk", "Slovenčina"],
  ["de", "Deutsch"],
  ["pl", "Polski"],
  ["es", "Español"],
  ["uk", "Українська"],
  ["zh", "中文"],
];

const EN = {
  people: "Who I am",
  chats: "Chats",
  chat: "Chat",
  files: "Files",
  peopleTab: "People",
  languageOf: "Interface language of {name}",
  privateWith: "Private chat with the bot",
  members: "{names}",
  unread: "{n} new",
  filesTitle: "Live files",
  filesEmpty: "No files yet",
  filesHint: "The Markdown files of the workspace appear here, and the line just written lights up.",
  emptyFile: "This file is empty.",
  changed: "changed",
  elsewhere: "{n} more lines",
  emptyPrivate: "What should Pomněnka remember?",
  emptyPrivateHint: "Say it in your own words. The bot writes one short line into a file you can read.",
  emptyGroup: "A group that keeps its own memory",
  emptyGroupHint: "Here the bot only hears commands, mentions and replies to it.",
  start: "Start",
  startHint: "{name} has not opened a chat with the bot yet. Until then it may not write here.",
  write: "Message",
  send: "Send",
  save: "Save",
  replyTo: "Reply to {name}",
  editing: "Edit message",
  cancel: "Cancel",
  reply: "Reply",
  forward: "Forward",
  edit: "Edit",
  remove: "Delete",
  actions: "Message actions",
  forwardTo: "Forward to",
  forwardedFrom: "Forwarded from {name}",
  edited: "edited",
  typing: "{name} is writing…",
  newest: "Newest messages",
  menu: "Commands",
  more: "More about this chat",
  block: "Block the bot",
  unblock: "Unblock the bot",
  blocked: "You blocked the bot. It can no longer write here.",
  appearance: "Appearance",
  auto: "as the system",
  light: "light",
  dark: "dark",
  lost: "The connection is gone. Trying again; nothing you wrote is lost.",
  loading: "Connecting…",
  notSent: "Not sent: {why}",
  unreachable: "the demo server does not answer",
  copied: "Copied.",
  late: "The bot did not answer this button.",
  outside: "This link leaves the demo",
  open: "Open in a new tab",
  close: "Close",
  ok: "OK",
  you: "You",
  as: "as {name}",
  message: "Message",
  joined: "{name} joined the group",
  left: "{name} left the group",
  document: "Document",
  skip: "Skip to the message field",
  log: "Messages",
  buttons: "Buttons",
  waiting: "waiting for the bot",
  suggestions: "Suggestions",
};

const CS = {
  people: "Kdo jsem",
  chats: "Chaty",
  chat: "Chat",
  files: "Soubory",
  peopleTab: "Lidé",
  languageOf: "Jazyk rozhraní: {name}",
  privateWith: "Soukromý chat s botem",
  members: "{names}",
  unread: "{n} nových",
  filesTitle: "Soubory naživo",
  filesEmpty: "Zatím žádné soubory",
  filesHint: "Tady se objeví soubory Markdown z pracovní složky a právě zapsaný řádek se rozsvítí.",
  emptyFile: "Soubor je prázdný.",
  changed: "změněno",
  elsewhere: "další řádky: {n}",
  emptyPrivate: "Co si má Pomněnka zapamatovat?",
  emptyPrivateHint: "Řekni to vlastními slovy. Bot zapíše jeden krátký řádek do souboru, který si můžeš přečíst.",
  emptyGroup: "Skupina, která má vlastní paměť",
  emptyGroupHint: "Bot tu slyší jen příkazy, zmínky a odpovědi na své zprávy.",
  start: "Začít",
  startHint: "{name} ještě nemá s botem otevřený chat. Do té doby sem bot nesmí psát.",
  write: "Zpráva",
  send: "Odeslat",
  save: "Uložit",
  replyTo: "Odpověď – {name}",
  editing: "Úprava zprávy",
  cancel: "Zrušit",
  reply: "Odpovědět",
  forward: "Přeposlat",
  edit: "Upravit",
  remove: "Smazat",
  actions: "Co se zprávou",
  forwardTo: "Kam přeposlat",
  forwardedFrom: "Přeposláno – {name}",
  edited: "upraveno",
  typing: "{name} píše…",
  newest: "Nejnovější zprávy",
  menu: "Příkazy",
  more: "Další možnosti chatu",
  block: "Zablokovat bota",
  unblock: "Odblokovat bota",
  blocked: "Bot je zablokovaný a nemůže sem psát.",
  appearance: "Vzhled",
  auto: "podle systému",
  light: "světlý",
  dark: "tmavý",
  lost: "Spojení vypadlo. Zkouším to znovu, nic z napsaného se neztratí.",
  loading: "Připojuji se…",
  notSent: "Neodesláno: {why}",
  unreachable: "server ukázky neodpovídá",
  copied: "Zkopírováno.",
  late: "Bot na toto tlačítko neodpověděl.",
  outside: "Tento odkaz vede mimo ukázku",
  open: "Otevřít v nové kartě",
  close: "Zavřít",
  ok: "Dobře",
  you: "Ty",
  as: "jako {name}",
  message: "Zpráva",
  joined: "Ve skupině: {name}",
  left: "Odchod ze skupiny: {name}",
  document: "Dokument",
  skip: "Přejít na psaní zprávy",
  log: "Zprávy",
  buttons: "Tlačítka",
  waiting: "čeká se na bota",
  suggestions: "Návrhy",
};

const TABLES = { en: EN, cs: CS };

/**
 * A function from a key and its parameters to a sentence in a language (English where the page
 * does not speak it).
 */
export function speaker(language) {
  const table = TABLES[language] ?? EN;
  return (key, values = {}) =>
    (table[key] ?? EN[key]).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The language the page itself shows for an interface language. */
export function spoken(language) {
  return language in TABLES ? language : "en";
}

const KEEP_EN = "keep you know, Honza from marketing is allergic to peanuts";
const KEEP_CS = "zapamatuj si, víš, že Honza z marketingu je alergický na arašídy";

/** First messages to try: what is shown on the chip, and what it puts into the message field. */
export function suggestions(language, chat, username) {
  if (chat.type !== "private") return groupSuggestions(language, username);
  if (spoken(language) === "cs") return [KEEP_CS, "ukliď paměť", KEEP_EN];
  return [KEEP_EN, "compact memory", KEEP_CS];
}

function groupSuggestions(language, username) {
  const czech = `@${username} zapamatuj si, že klíč od kůlny má Hana`;
  const english = `/keep@${username} the shed key is with Hana`;
  return spoken(language) === "cs" ? [czech, english] : [english, czech];
}
