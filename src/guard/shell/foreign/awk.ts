/**
 * The commands that awk builds from several parts: texts next to each other, variables, and the environment. A command with an unknown part is left to
 * the other readers.
 */
import { UNKNOWN } from '../marks.ts';

interface Built {
  readonly text: string;
  readonly at: number;
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** One part of a text: a string, a value of the environment, or a variable. */
const PART = String.raw`(?:${STRING}|ENVIRON\[${STRING}\]|[A-Za-z_]\w*(?![\w(\[]))`;
const PARTS = String.raw`(${PART}(?:[ \t]*${PART}){0,15})`;
const ASSIGNED = new RegExp(String.raw`(?:^|[\s;{(])([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*${PARTS}[ \t]*(?=[;}\n)]|$)`, 'g');
const RUN = new RegExp(
  String.raw`\bsystem[ \t]*\([ \t]*\(?${PARTS}[ \t]*\)|(?:^|[\s;{(])${PARTS}[ \t]*\)?[ \t]*\|&?[ \t]*getline|\|&?[ \t]*\(?${PARTS}[ \t]*\)?[ \t]*(?=[;}\n]|$)`,
  'g',
);

/** A text that is printed into a program: `print "text" | "sh"`, `printf "%s", x | shell`. */
const FED = new RegExp(
  String.raw`\bprint(f?)[ \t]*\(?[ \t]*${PARTS}((?:[ \t]*,[ \t]*${PARTS.replace('(', '(?:')}){0,7})[ \t]*\)?[ \t]*\|&?[ \t]*${PARTS}`,
  'g',
);
const SHELL = /^\s*(?:\S*\/)?(?:ba|z|da|k)?sh(?:\s+-s?)?\s*$/;

/** @param environment Returns the value of a variable of the environment. */
export function awkCommands(code: string, environment: (name: string) => string): readonly Built[] {
  if (!/\bsystem\b|\|/.test(code)) return [];
  const known = new Map<string, string>();
  const joined = (parts: string): string =>
    Array.from(parts.matchAll(new RegExp(PART, 'g')), ([part]) => {
      const named = /^ENVIRON\["(.*)"\]$/.exec(part)?.[1];
      if (named !== undefined) return environment(named);
      return part.startsWith('"') ? part.slice(1, -1).replace(/\\(.)/g, '$1') : (known.get(part) ?? UNKNOWN);
    }).join('');
  for (const [, name = '', parts = ''] of code.matchAll(ASSIGNED)) known.set(name, joined(parts));
  const printed = [...code.matchAll(FED)].flatMap(
    ({ 1: formats, 2: first = '', 3: more = '', 4: target = '', index }): readonly Built[] => {
      if (!SHELL.test(joined(target))) return [];
      const rest = more.split(',').slice(1).map(joined);
      const text =
        formats === 'f' ? joined(first).replace(/%[-\d.]*[a-z]/g, () => rest.shift() ?? UNKNOWN) : [joined(first), ...rest].join(' ');
      return [{ text: text.replaceAll('\\n', '\n'), at: index }];
    },
  );
  const run = Array.from(code.matchAll(RUN))
    .map(({ 1: called, 2: read, 3: fed, index }) => ({ text: joined(called ?? read ?? fed ?? ''), at: index }))
    .filter(({ text }) => text !== '' && !text.includes(UNKNOWN));
  return [...printed.filter(({ text }) => !text.includes(UNKNOWN)), ...run];
}
