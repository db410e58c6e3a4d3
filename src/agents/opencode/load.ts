/**
 * Reports the plugins of OpenCode. A plugin is code for OpenCode's own process, with its client and its objects, so it cannot be run as a
 * command and never becomes a hook. It is reported, because its author may expect that it protects everywhere.
 */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import { isGating } from '../../core/meaning/profile.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Document, fieldOf, type Node } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { isOwnPlugin } from './plugin-text.ts';
import { profile } from './profile.ts';

/** The functions of a plugin that can deny. OpenCode declares the last one, and never calls it. */
const GATES: readonly string[] = [
  ...Object.entries(profile.events).flatMap(([name, rule]) => (isGating(rule) ? [name] : [])),
  'permission.ask',
];

export function load({ file, root }: Document, _context: LoadContext): Loaded {
  const problems = problemsIn(file);
  if (root?.kind === 'scalar' && typeof root.value === 'string') sayProgram(root.value, problems);
  else for (const { name, at } of packagesIn(fieldOf(root, 'plugin'))) sayPackage(name, at, problems);
  return { hooks: [], diagnostics: problems.list };
}

function sayProgram(text: string, problems: Problems): void {
  if (isOwnPlugin(text)) return;
  const gate = GATES.find((name) => text.includes(name));
  if (gate === undefined) {
    problems.report('info', 'plugin-not-run', { line: 1, column: 1 }, `${IN_PROCESS}, and Hookline does not run it.`, HOW);
    return;
  }
  const what = `${IN_PROCESS}. So its \`${gate}\` protects in OpenCode alone, and Hookline does not run it.`;
  problems.report('warning', 'plugin-not-run', positionOf(text, gate), what, HOW);
}

const IN_PROCESS = "This plugin runs in OpenCode's own process";
const HOW = 'For a check that holds in every agent, write a hook that is a command, such as `.agents/hooks/<name>/HOOK.md`.';

function positionOf(text: string, word: string): Position {
  const before = text.slice(0, text.indexOf(word)).split('\n');
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

/** A plugin is named by a text, or by a list of the text and its options. */
function packagesIn(plugins: Node | undefined): readonly { readonly name: string; readonly at: Position }[] {
  const items = plugins?.kind === 'list' ? plugins.items : [];
  return items.flatMap((item) => {
    const named = item.kind === 'list' ? item.items[0] : item;
    return named?.kind === 'scalar' && typeof named.value === 'string' ? [{ name: named.value, at: named.at }] : [];
  });
}

function sayPackage(name: string, at: Position, problems: Problems): void {
  const what = `The plugin \`${name}\` runs in OpenCode's own process. If it denies something, it does so in OpenCode alone; Hookline does not run it.`;
  problems.report('info', 'plugin-not-run', at, what, HOW);
}
