/**
 * Settings that name a program, where the name is hidden: put together from pieces, written in escapes, or printed by another command. A plain
 * name needs none of that, so what runs may be another program than the guard reads.
 */
import type { Command } from 'unbash';

/** Variables with a program as their value. */
const VARIABLE =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND)|(?:SUDO_)?EDITOR|VISUAL|(?:MAN)?PAGER|LESS(?:OPEN|CLOSE)|BROWSER|(?:SSH|SUDO)_ASKPASS|PROMPT_COMMAND|RSYNC_RSH)$/;
/** Settings of git with a program as their value, as `-c` gets them. */
const SETTING = /^['"]?[\w-]+\.(?:[\w./*-]+\.)?(?:editor|pager|\w*command|\w*proxy|askpass|fsmonitor|textconv|driver|program|helper|cmd)=/i;
/** Two texts in quotes side by side, quotes around a part of a word, or a character by its number. */
const IN_PIECES = /\w(?:''|"")\w|\w(['"])\w+\1\w|\$'[^']*\\[xu0-7]/;
const PRINTED = /\$\(\s*(?:echo|printf)\s[^$`)]*\)|`\s*(?:echo|printf)\s[^$`]*`/;

/** Returns the setting of a command whose program is hidden. */
export function disguisedSetting({ prefix, args }: Command): string | undefined {
  for (const part of prefix)
    if (part.type === 'Assignment' && VARIABLE.test(part.name) && isHidden(part.value.type === 'Word' ? part.value.text : ''))
      return part.name;
  for (const [i, word] of args.entries())
    if (word.type === 'Word' && args[i - 1]?.text === '-c' && SETTING.test(word.text) && isHidden(word.text.replace(SETTING, '')))
      return (SETTING.exec(word.text)?.[0] ?? '').replace(/['"=]/g, '');
  return undefined;
}

function isHidden(text: string): boolean {
  return IN_PIECES.test(text) || PRINTED.test(text);
}
