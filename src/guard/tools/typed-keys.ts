/** Text that a tool types into a running program, as the program receives it: special keys and corrections are carried out. */

export interface Typed {
  readonly text: string;
  /** Why the text does not show everything that is entered. */
  readonly unclear?: string;
}

/** Names of keys, as `{enter}` in a text or as an item of a list. */
const NAMED: Readonly<Record<string, string>> = {
  enter: '\n',
  return: '\n',
  cr: '\n',
  space: ' ',
  tab: '\t',
  backspace: '\b',
  bspace: '\b',
  'ctrl-c': '\u0003',
  'c-c': '\u0003',
  'ctrl-u': '\u0015',
  'c-u': '\u0015',
};
/** Keys that enter a text which is not in the input: an earlier command, or a completion. */
const RECALLS = /^(?:up|down|left|right|home|end|delete|pageup|pagedown|(?:ctrl|c|alt|m)-\w|escape|esc)$/i;
const ESCAPES = /\u001b(?:\[[0-9;?]*[A-Za-z~]|O[A-Z]|.)?/g;

export function typedText(given: string | readonly string[]): Typed {
  let recalls = false;
  const keyed = (name: string): string | undefined => {
    const known = NAMED[name.toLowerCase()];
    if (known === undefined && RECALLS.test(name)) recalls = true;
    return known ?? (RECALLS.test(name) ? '' : undefined);
  };
  const parts = typeof given === 'string' ? [given] : given.map((item) => keyed(item) ?? item);
  const named = parts.join('').replace(/\{([a-z][a-z-]{0,9})\}/gi, (all, name: string) => keyed(name) ?? all);
  const plain = named.replace(ESCAPES, () => {
    recalls = true;
    return '';
  });
  const text = enter(plain);
  if (recalls) return { text, unclear: 'a key enters text that the call does not contain' };
  if (/\S[^\n]*$/.test(text)) return { text, unclear: 'the line is not finished, so the rest of it is unknown' };
  return { text };
}

/** Returns the lines that result from the characters. A backspace removes one character, and Ctrl-C and Ctrl-U remove the line. */
function enter(keys: string): string {
  const lines: string[] = [];
  let line: string[] = [];
  for (const key of keys.replace(/\r\n?/g, '\n')) {
    if (key === '\n') {
      lines.push(line.join(''));
      line = [];
    } else if (key === '\b' || key === '\u007f') line.pop();
    else if (key === '\u0003' || key === '\u0015') line = [];
    else if (key >= ' ' || key === '\t') line.push(key);
  }
  return [...lines, line.join('')].join('\n');
}
