/** Answers the questions of the server of MCP about one project, with the code of the commands that answer them in a terminal. */
import path from 'node:path';
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import { redactText } from '../../core/values/redact.ts';
import type { HookDesk, ListedResource, PlannedEvent, ResourceGroup } from '../../mcp/server/desk.ts';
import { type Arguments, usageError } from '../arguments.ts';
import { explainDecision } from '../decisions/why.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { checkFiles } from '../hooks/check.ts';
import { findOptions, memoryFor } from '../hooks/find-options.ts';
import { reloadProject } from '../hooks/reload.ts';
import { readEvent, readRequest } from '../input/fire-request.ts';
import { planOf } from '../run/plan.ts';
import { withStore } from '../store.ts';

/** Opens an engine for each question, so every answer is about the files as they are now. */
async function withEngine<T>(args: Arguments, root: string, work: (hookline: Hookline) => Promise<T>): Promise<T> {
  const hookline = await createHookline(engineOptions(args, root));
  try {
    return await work(hookline);
  } finally {
    await hookline.close(0);
  }
}

export function createDesk(args: Arguments, root: string): HookDesk {
  const here: Arguments = { positionals: [], values: new Map([...args.values, ['root', [root]]]) };
  return {
    list: () => withEngine(args, root, (hookline) => hookline.list()).catch(explain),
    reload: () => reloadProject(here).catch(explain),
    check: (paths) => checkPaths(here, root, paths).catch(explain),
    plan: (event) => withEngine(args, root, (hookline) => planned(hookline, event)).catch(explain),
    why: ({ id, lastDeny }) => withStore(args, (store) => explainDecision(store, { id, isDeny: lastDeny ?? false, root })).catch(explain),
  };
}

/** The agent reads a message only, so the hint becomes part of it. */
function explain(error: unknown): never {
  const { message, hint } = problemOf(error);
  throw new Error(hint === undefined ? message : `${message} ${hint}`, { cause: error });
}

async function checkPaths(here: Arguments, root: string, paths: readonly string[]): Promise<object> {
  const files = paths.map((one) => path.resolve(root, one));
  const outside = files.find((file) => !isBelow(file, root));
  if (outside !== undefined) throw usageError(`${outside} is not in the project ${root}.`, 'Name files of the project.');
  return checkFiles(findOptions(here, files), memoryFor(here));
}

async function planned(hookline: Hookline, event: PlannedEvent): Promise<object> {
  const words = wordsOf(event);
  const plan = await planOf(hookline, await readRequest(words, readEvent(words)));
  return { ...plan, diagnostics: hookline.diagnostics };
}

function isBelow(file: string, root: string): boolean {
  return file === root || file.startsWith(`${root}${path.sep}`);
}

/** The same as on the command line, so that both mean the same. */
function wordsOf({ event, as, tool, input, payload }: PlannedEvent): Arguments {
  const given = {
    as,
    tool,
    input: input && JSON.stringify(input),
    payload: payload && JSON.stringify(payload),
  };
  const values = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]] as const]));
  return { positionals: [event], values: new Map(values) };
}

/** The files that contain hooks, with secrets masked: a file of settings may have some. */
export function hookFiles(args: Arguments, root: string): ResourceGroup {
  return {
    name: 'hook',
    title: 'Hook file',
    description: 'The file that contains a hook, by the id of the hook. Secrets are masked.',
    list: () =>
      withEngine(args, root, async (hookline) => {
        const { hooks } = await hookline.list();
        return hooks.map(({ id, name, dialect, event, state, source }): ListedResource => {
          const description = `${dialect}, ${event}, ${state}, ${source.file}`;
          return { key: id, title: name, description, mimeType: typeOf(source.file) };
        });
      }),
    read: (key) =>
      withEngine(args, root, async (hookline) => {
        const { hooks } = await hookline.list();
        const hook = hooks.find(({ id }) => id === key);
        return hook && { text: redactText(await hookline.read(key)), mimeType: typeOf(hook.source.file) };
      }),
  };
}

function typeOf(file: string): string {
  return TYPES[path.extname(file)] ?? 'text/plain';
}

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.jsonc': 'application/json',
  '.md': 'text/markdown',
  '.toml': 'application/toml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};
