/** The "/" menu: which of the commands that the bot offers here a half-typed word may mean. */

/** The commands that "/wo" may mean; none when the text is no command yet or any more. */
export function matching(commands, text) {
  const typed = /^\/([a-z0-9_]*)$/i.exec(text);
  if (!typed) return [];
  return commands.filter((each) => each.command.startsWith(typed[1].toLowerCase()));
}

/** What choosing a command sends: in a group it names the bot, so that only this bot hears it. */
export function addressed(command, chat, username) {
  return chat.type === "private" ? `/${command}` : `/${command}@${username}`;
}
