/** Owns the sentences that say why a pattern can't be used. What the engine reports is read here and nowhere else. */

const SENTENCES: Readonly<Record<string, string>> = {
  'missing closing ]': 'Unclosed character class: a `]` is missing.',
  'missing closing )': 'Unclosed group: a `)` is missing.',
  'unexpected )': 'A `)` closes no group: write `\\)` for a literal one.',
  'trailing backslash at end of expression': 'The pattern ends in a single backslash: write `\\\\` for a literal one.',
  'expression nests too deeply': 'The pattern nests too deeply.',
  'expression too large': 'The pattern is too large: use shorter repeat counts, or several hooks.',
};

const QUOTING: Readonly<Record<string, (part: string) => string>> = {
  'invalid character class range': (part) => `\`${part}\` is not a valid range or class.`,
  'invalid nested repetition operator': (part) => `\`${part}\` repeats a repetition: put the first one in a group.`,
  'invalid repeat count': (part) => `\`${part}\` is not a valid repeat count: at most 1000, and the smaller number first.`,
  'missing argument to repetition operator': (part) =>
    `\`${part}\` has nothing before it to repeat: write \`\\${part}\` for a literal one.`,
  'duplicate capture group name': (part) => `Two groups are named \`${part}\`.`,
  'invalid or unsupported Perl syntax': (part) => `\`${part}\` is not a kind of group that is known.`,
  'invalid named capture': (part) => `\`${part}\` is not a valid group name.`,
};

const INSTEAD = "can't be matched in linear time; test for it in the hook's script instead.";

export function reasonOf(error: unknown): string {
  const { error: what, input } = error as { readonly error?: unknown; readonly input?: unknown };
  if (typeof what !== 'string') return 'The pattern is too large or not understood.';
  const part = typeof input === 'string' ? input : '';
  return backtracking(part) ?? unknownEscape(what, part) ?? SENTENCES[what] ?? QUOTING[what]?.(shorten(part)) ?? `${capital(what)}.`;
}

/** Whether the engine refused a `\u0041`, which JavaScript writes and it does not know. */
export function refusesUnicodeEscape(error: unknown): boolean {
  const { input } = error as { readonly input?: unknown };
  return input === '\\u';
}

function backtracking(part: string): string | undefined {
  const [look] = /^\(\?<?[=!]/.exec(part) ?? [];
  if (look !== undefined) return `${look.length === 4 ? 'Lookbehind' : 'Lookahead'} (\`${look}\`) ${INSTEAD}`;
  return part === '(?P' ? `A backreference or recursion (\`(?P\`) ${INSTEAD}` : undefined;
}

function unknownEscape(what: string, part: string): string | undefined {
  if (what !== 'invalid escape sequence') return undefined;
  if (/^\\(?:[1-9]|k)/.test(part)) return `A backreference (\`${part}\`) ${INSTEAD}`;
  return `\`${shorten(part)}\` is not a known escape.`;
}

function shorten(part: string): string {
  return part.length > 40 ? `${part.slice(0, 40)}…` : part;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
