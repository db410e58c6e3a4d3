/** Chooses the hooks that a file of tests is about: those that it names, or those next to it. */
import path from 'node:path';
import type { ListedHook } from '../api/hookline.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { suggest } from '../core/values/suggest.ts';
import { TEST_ENDING, type TestFile } from './test-file.ts';

/** Returns the hooks, or why there are none. */
export function selectHooks({ file, hooks: names }: TestFile, hooks: readonly ListedHook[]): readonly ListedHook[] | Diagnostic {
  if (names === undefined) {
    const beside = besideOf(file, hooks);
    if (beside.length > 0) return beside;
    const message = 'There is no hook next to this file, so there is nothing to test.';
    return problem(
      file,
      message,
      'Move the file next to the hook, with its name, or name the hook with `hook:`. `hookline check` shows why a hook is not read.',
    );
  }
  const found = names.flatMap((name) => hooks.filter((hook) => name === EVERY || hook.name === name));
  const missing = names.find((name) => name !== EVERY && !hooks.some((hook) => hook.name === name));
  if (missing === undefined) return [...new Set(found)];
  const known = hooks.map(({ name }) => name);
  const near = suggest(missing, known);
  return problem(
    file,
    `There is no hook \`${missing}\`.`,
    near ? `Did you mean \`${near}\`?` : `Hooks here: ${known.join(', ') || 'none'}.`,
  );
}

const EVERY = '*';

/** `gate.hooktest.yaml` is about `gate.ts`, or about the hook `gate` below its folder or the hooks in its folder `gate`, or else about the hook files in its folder. */
function besideOf(file: string, hooks: readonly ListedHook[]): readonly ListedHook[] {
  const folder = path.dirname(file);
  const name = path.basename(file).slice(0, -TEST_ENDING.length);
  const inFolder = hooks.filter(({ source }) => path.dirname(source.file) === folder);
  const below = hooks.filter(({ source }) => source.file.startsWith(folder + path.sep));
  const choices = [
    inFolder.filter(({ source }) => path.parse(source.file).name === name),
    below.filter((hook) => hook.name === name),
    below.filter(({ source }) => source.file.startsWith(path.join(folder, name) + path.sep)),
    inFolder,
  ];
  return choices.find((choice) => choice.length > 0) ?? [];
}

function problem(file: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', code: 'no-hook-to-test', file, line: 1, column: 1, message, hint };
}
