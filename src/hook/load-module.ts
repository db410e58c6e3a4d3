/**
 * Loads the modules of hooks from texts that Hookline sent, so that the code that runs is the code that was checked. `hookline/hook` is the running
 * version, wherever the hook is. Node finds every other package from the folder of the hook.
 */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, type Module, Script, SourceTextModule, SyntheticModule } from 'node:vm';
import type { SentModule } from '../handlers/worker/protocol.ts';
import * as answers from './answers.ts';
import { defineHook } from './definition.ts';

const HOOK_MODULE = 'hookline/hook';

const texts = new Map<string, SentModule>();
const made = new Map<string, SourceTextModule>();
const evaluated = new Map<string, Promise<object>>();
let own: SyntheticModule | undefined;

export function addModules(modules: readonly SentModule[]): void {
  for (const module of modules) texts.set(module.file, module);
}

/** Returns the exports of a module. It is loaded once. */
export function loadModule(file: string): Promise<{ readonly default?: unknown }> {
  const loading = evaluated.get(file) ?? evaluate(moduleFor(file));
  evaluated.set(file, loading);
  return loading;
}

async function evaluate(module: Module): Promise<object> {
  if (module.status === 'unlinked') await module.link(link);
  await module.evaluate();
  return module.namespace;
}

function moduleFor(file: string): SourceTextModule {
  const known = made.get(file);
  if (known) return known;
  const text = texts.get(file);
  if (!text) throw new Error(`The file ${file} is not among the files of the hook. Import it with a literal path.`);
  const module = new SourceTextModule(text.code, {
    identifier: file,
    initializeImportMeta(meta) {
      Object.assign(meta, { url: pathToFileURL(file).href, filename: file, dirname: dirname(file) });
    },
    // Node's types know the modules of a script alone.
    importModuleDynamically: (async (name: string) => {
      const found = await resolve(name, file);
      if (found.status !== 'evaluated') await evaluate(found);
      return found;
    }) as never,
  });
  made.set(file, module);
  return module;
}

function link(name: string, { identifier }: Module): Module | Promise<Module> {
  return resolve(name, identifier);
}

function resolve(name: string, from: string): Module | Promise<Module> {
  if (name === HOOK_MODULE) {
    own ??= synthetic({ ...answers, defineHook });
    return own;
  }
  if (name.startsWith('.')) return moduleFor(texts.get(from)?.imports[name] ?? name);
  return importFrom(from, name).then(synthetic);
}

/** Imports as a file at this place would. */
function importFrom(file: string, name: string): Promise<object> {
  const importer = new Script('(name) => import(name)', {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return (importer.runInThisContext() as (name: string) => Promise<object>)(name);
}

function synthetic(exports: object): SyntheticModule {
  const entries = Object.entries(exports);
  return new SyntheticModule(
    entries.map(([name]) => name),
    function set(this: SyntheticModule) {
      for (const [name, value] of entries) this.setExport(name, value);
    },
  );
}
