/** Effects on files: deleting, moving, writing, and changing permissions. Tools that write files have the same effects. */

import { spend } from '../../limits.ts';
import { secretIn } from '../../shell/flow/secret-path.ts';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isOpaque, LISTED } from '../../shell/marks.ts';
import { type Effect, type EffectReader, effect, type KnownFolders } from '../effect.ts';
import { bearsHooks, mentionsHooks } from '../own/files.ts';
import { privilegeOf } from '../privilege.ts';
import { deletions, movedAway } from './deleted.ts';
import { modeChanges } from './modes.ts';
import { classifyPath } from './path.ts';
import { writings } from './written.ts';

/** Shell commands on a line of their own in the code of another language. */
const SHELL_LINE = /(?:^|[\n;])[ \t]*(?:sudo[ \t]+)?(?:rm[ \t]+-[a-zA-Z]*[rR]|mkfs[. \t]|dd[ \t]+(?:if|of)=|shred[ \t]+-)/;

export const files: EffectReader = (command, knownFolders) => {
  spend(command.argv.length);
  const [deleted, moved, written, changed] = [deletions(command), movedAway(command), writings(command), modeChanges(command)];
  if (deleted.length + moved.length + written.length + changed.length === 0) return shellLines(command);
  const { name, cwd } = command;
  const rest = {
    by: name,
    privileged: privilegeOf(command) !== undefined,
    carried: command.via.some((by) => /^g?xargs$|^parallel$/.test(by)),
  };
  // Git lists files of the working tree alone.
  const classes = (path: string): readonly string[] => (isListed(path) ? ['project'] : classifyPath(path, cwd, knownFolders).classes);
  const effects: Effect[] = [];
  const seen = new Set<string>();
  for (const { path, ...deletion } of deleted) {
    if (seen.has(path)) continue;
    seen.add(path);
    const facts = { ...rest, path, class: classes(path) };
    effects.push(effect('fs.delete', { ...deletion, ...facts, pattern: /[*?[]/.test(path) }));
    // Deleting a file changes it as much as overwriting it.
    if (!deletion.leftovers) effects.push(effect('fs.write', { ...facts, how: 'delete' }));
  }
  for (const path of moved) {
    const facts = { ...rest, path, class: classes(path) };
    effects.push(effect('fs.move', facts), effect('fs.write', { ...facts, how: 'move' }));
  }
  for (const { path, how } of written) effects.push(effect('fs.write', { ...rest, path, class: classes(path), how }));
  for (const { path, ...change } of changed) effects.push(effect('fs.mode', { ...rest, ...change, path, class: classes(path) }));
  const hooked = effects.map((each) => withHooks(each, (path) => mentionsHooks(command.stdin) || bearsHooks(path, cwd, knownFolders)));
  return [...distinct(hooked), ...shellLines(command)];
};

/** Returns the skills and agents to which the commands write hooks, by the text that the files get. */
export function proseWrites(
  commands: readonly EffectiveCommand[],
  written: ReadonlyMap<string, string>,
  knownFolders: KnownFolders,
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  return [...written].flatMap(([path, text]) => {
    if (!mentionsHooks(text)) return [];
    const { classes } = classifyPath(path, '', knownFolders);
    const command = commands.find(({ writes, argv }) => writes.some((one) => path.endsWith(one)) || argv.some((one) => path.endsWith(one)));
    if (command === undefined || !classes.includes('guard-prose')) return [];
    return [
      { command, seen: effect('fs.write', { by: command.name, privileged: false, path, class: classes, how: 'redirect', hooks: true }) },
    ];
  });
}

/** Returns whether a path is a name that git lists and nothing else. */
function isListed(path: string): boolean {
  return path.includes(LISTED) && isOpaque(path);
}

/** Adds whether a skill or an agent that changes has hooks, before or after. Only such a file is looked at. */
function withHooks(seen: Effect, hasHooks: (path: string) => boolean): Effect {
  const { class: classes, path } = seen.facts;
  if (!Array.isArray(classes) || !classes.includes('guard-prose') || typeof path !== 'string') return seen;
  return effect(seen.kind, { ...seen.facts, hooks: hasHooks(path) });
}

/** Keeps one effect of those that differ only in the path. */
function distinct(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length < 3) return effects;
  const seen = new Map<string, Effect>();
  for (const each of effects) {
    const key = JSON.stringify([each.kind, { ...each.facts, path: '' }]);
    if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}

/**
 * Returns the effects of a file tool on one file.
 *
 * @param content The text that the tool writes.
 */
export function fileEffects(path: string, how: 'write' | 'delete' | 'read', knownFolders: KnownFolders, content = ''): readonly Effect[] {
  const facts = { path, class: classifyPath(path, '', knownFolders).classes, by: 'tool', privileged: false };
  if (how === 'read')
    return [effect('fs.read', { ...facts, kind: secretIn(path, '', knownFolders.home) ?? false, how: 'operand', command: 'tool' })];
  const plain = effect('fs.write', { ...facts, how: how === 'write' ? 'tool' : 'delete' });
  const write = withHooks(plain, () => mentionsHooks(content) || bearsHooks(path, '', knownFolders));
  return how === 'write' ? [write] : [effect('fs.delete', { ...facts, forced: true, how: 'tool' }), write];
}

/** Languages with a reader, which finds the texts that are run. */
const READ = /^(?:python|pypy|node|nodejs|bun|deno|tsx|ts-node|ruby|perl|php)[\d.]*$/;
const TEXTS = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

function shellLines({ name, program }: EffectiveCommand): readonly Effect[] {
  if (program?.text === undefined || program.language === 'shell' || program.from === 'file' || !SHELL_LINE.test(program.text)) return [];
  return !READ.test(name) || SHELL_LINE.test(program.text.replace(TEXTS, "''"))
    ? [effect('code.shell-line', { language: program.language })]
    : [];
}
