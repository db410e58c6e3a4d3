/** Reads the settings of a project, `.hookline/settings.json`. They can only make the guard stricter, so they need no trust. */
import { dirname, isAbsolute, relative } from 'node:path';
import { FILE_USES, type GuardSettings, PRESET_NAMES, type Protection, protectionOf, rankOf } from '../../core/contracts/guard-settings.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, fieldOf } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { completeGuard, readGuard } from './guard.ts';
import { projectSettingsFile } from './project-file.ts';
import { readEntries } from './values.ts';

export interface ProjectGuard {
  readonly guard: GuardSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** `own` are the settings that the project adds to. A value that is more lenient has no effect and is reported. */
export async function readProjectGuard(root: string, own: GuardSettings): Promise<ProjectGuard> {
  const file = projectSettingsFile(root);
  const read = readText(file);
  if (read === undefined) return { guard: {}, diagnostics: [] };
  const document = 'problem' in read ? { file, diagnostics: [read.problem] } : await (await loadFormat('json'))(file, read.text);
  const problems = problemsIn(file);
  const { guard: first } = document.root
    ? readEntries<{ guard?: GuardSettings }>(document.root, "A project's settings", { guard: readGuard }, problems)
    : {};
  const guard = (await completeGuard(first, document, problems)) ?? {};
  const node = fieldOf(document.root, 'guard');
  sayLooser(guard, own, (key) => entryOf(node, key), problems);
  const { overrides: _, ruleFiles = [], ...rest } = guard;
  // The guard protects this folder against agents, and no other folder of the project.
  const outside = ruleFiles.filter((one) => !isBelow(one, dirname(file)));
  const messages = outside.map((one) => `${one} is not next to the settings of the project.`);
  const at = entryOf(node, 'rules')?.value.at;
  for (const message of messages) problems.report('error', 'bad-rule', at, message, 'Move the file of rules into `.hookline`.');
  const broken = [...(guard.broken ?? []), ...messages.map((message) => `${file}: ${message}`)];
  return {
    guard: {
      ...rest,
      ...(ruleFiles.length > outside.length && { ruleFiles: ruleFiles.filter((one) => !outside.includes(one)) }),
      ...(broken.length > 0 && { broken }),
    },
    diagnostics: [...document.diagnostics, ...problems.list],
  };
}

function sayLooser(guard: GuardSettings, own: GuardSettings, entry: (key: string) => Entry | undefined, problems: Problems): void {
  const say = (at: Entry | undefined, what: string): void =>
    problems.report('warning', 'looser-project', at?.at, `${what}; a project can only be stricter.`, 'Remove it.');
  if (guard.overrides !== undefined) say(entry('overrides'), 'Overrides of a project have no effect');
  const [theirs, mine] = [guard.preset, own.preset ?? 'standard'];
  if (theirs !== undefined && PRESET_NAMES.indexOf(theirs) < PRESET_NAMES.indexOf(mine))
    say(entry('preset'), `The preset \`${theirs}\` is more lenient than your own, \`${mine}\``);
  for (const [glob, protection] of Object.entries(guard.protect ?? {})) {
    const known = own.protect?.[glob];
    if (known && FILE_USES.some((use) => isLooser(protection, known, use)))
      say(entryOf(entry('protect')?.value, glob), `The protection of \`${glob}\` is more lenient than your own`);
  }
}

/** A use that the project does not mention is not loosened. */
function isLooser(theirs: Protection, mine: Protection, use: (typeof FILE_USES)[number]): boolean {
  return theirs[use] !== undefined && rankOf(protectionOf(theirs, use)) < rankOf(protectionOf(mine, use));
}

function isBelow(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
}
