/**
 * Whether the program of an entry is likely to vanish: the next clean installation removes the `node_modules` of a project, and the next
 * clean-up removes the folder of `npx` and its relatives. An entry that leads there protects only until then.
 */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { realOf } from './config-file.ts';
import { findProgram } from './launcher.ts';

/** `host`: for the command that the hint names. */
export function vanishing(program: readonly string[], host: string, path: string): readonly Diagnostic[] {
  const files = program.flatMap((word) => (isAbsolute(word) ? word : (findProgram(word, path) ?? [])));
  const [file, why] = files.map((one) => [one, whyVanishing(one)] as const).find(([, reason]) => reason !== undefined) ?? [];
  if (file === undefined) return [];
  const known = path.split(delimiter).flatMap((folder) => findProgram('hookline', folder) ?? []);
  const stable = known.find((one) => whyVanishing(one) === undefined);
  const message = `${file} is in ${why}. When that is gone, the entry cannot start.`;
  const hint =
    stable === undefined
      ? `Install one that stays with \`npm install --global hookline\`, then run \`hookline install ${host}\`.`
      : `There is one that stays: run \`${stable} install ${host}\`.`;
  return [{ severity: 'warning', code: 'vanishing-path', message, hint }];
}

function whyVanishing(file: string): string | undefined {
  const parts = realOf(file).split(sep);
  if (parts.some((part) => CACHES.test(part))) return 'a cache of `npx` or another runner';
  const at = parts.indexOf('node_modules');
  if (at < 0) return undefined;
  const above = parts.slice(0, at).join(sep) || sep;
  // Package managers keep what is installed globally in a project of their own.
  const isProject = !parts.slice(0, at).includes('global') && existsSync(join(above, 'package.json'));
  return isProject ? `the \`node_modules\` of the project ${above}` : undefined;
}

/** The folders of `npx`, `pnpm dlx`, `yarn dlx` and `bunx`. */
const CACHES = /^(?:_npx|dlx(?:-.*)?|xfs-.*|bunx-.*)$/;
