/** The input of `hookline guard`: its options, the user's settings, and the project. */
import path from 'node:path';
import { type GuardContext, guardContext } from '../../api/guard-context.ts';
import { addUp, type GuardSettings, isPresetName, PRESET_NAMES } from '../../core/contracts/guard-settings.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { suggest } from '../../core/values/suggest.ts';
import { evidenceIn, unknownPack } from '../../guard/judge-event.ts';
import type { ShownPack } from '../../guard/rules/evidence.ts';
import { resolveHome } from '../../load/find/home.ts';
import { readSettings } from '../../load/settings/settings.ts';
import { type Arguments, optionValue, optionValues, usageError } from '../arguments.ts';
import { readRoot } from '../engine-options.ts';

export interface GuardRules {
  /** The user's settings together with those of the command line. */
  readonly settings: Required<GuardSettings>;
  /** The packs that the project shows to need. */
  readonly shown: readonly ShownPack[];
  readonly root: string;
  readonly home: string;
  readonly memoryOf: GuardContext['memoryOf'];
  /** The user's settings file. */
  readonly file: string;
  readonly cwd?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export async function readGuardRules(args: Arguments): Promise<GuardRules> {
  const home = optionValue(args, 'home');
  const cwd = optionValue(args, 'cwd');
  const folders = resolveHome({ home }, process.env);
  const root = readRoot(args);
  const { settings, diagnostics } = await readSettings(folders.configFolder);
  const found = await guardContext(home === undefined ? {} : { home }, settings.guard, { ...folders, root });
  const rules = addUp(found.settings, givenOn(args));
  const problem = unknownPack(rules.packs);
  if (problem !== undefined) throw usageError(problem, '`hookline guard rules` shows the packs.');
  return {
    settings: rules,
    shown: evidenceIn(root, folders.home).packs,
    file: path.join(folders.configFolder, 'hookline', 'settings.json'),
    root,
    memoryOf: found.memoryOf,
    home: folders.home,
    ...(cwd !== undefined && { cwd: path.resolve(cwd) }),
    diagnostics: [...diagnostics, ...found.diagnostics],
  };
}

/** Returns the settings of the command line alone. */
export function givenOn(args: Arguments): GuardSettings {
  const preset = optionValue(args, 'preset');
  if (preset !== undefined && !isPresetName(preset)) {
    const near = suggest(preset, PRESET_NAMES);
    throw usageError(`There is no preset \`${preset}\`.`, near ? `Did you mean \`${near}\`?` : `Presets: ${PRESET_NAMES.join(', ')}.`);
  }
  return { packs: optionValues(args, 'pack'), ...(preset !== undefined && { preset }) };
}
