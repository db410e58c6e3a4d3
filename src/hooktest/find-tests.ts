/** Finds files of tests: next to the hooks, so anywhere in a project but in folders of others' code. */
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { TEST_ENDING } from './test-file.ts';

/** @param given a file, or a folder that is searched; a path that does not exist gives no file */
export function findTests(given: string): readonly string[] {
  const stat = lstatSync(given, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return given.endsWith(TEST_ENDING) ? [given] : testsBeside(given);
  const found: string[] = [];
  const folders = [given];
  for (const folder of folders)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path.join(folder, entry.name));
      else if (entry.name.endsWith(TEST_ENDING)) found.push(path.join(folder, entry.name));
    }
  return found.sort();
}

/** The tests of a hook that is given by its own file: `gate.ts` has `gate.hooktest.yaml`, `HOOK.md` those of its folder. */
function testsBeside(file: string): readonly string[] {
  const own = path.join(path.dirname(file), `${path.parse(file).name}${TEST_ENDING}`);
  if (lstatSync(own, { throwIfNoEntry: false })) return [own];
  return findTests(path.dirname(file));
}

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
