/** `hook_reload` as a tool definition for an agent: its name, JSON schema and function. Also the report of a reload, which `hookline reload` shows. */
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { ListedHook, Reloaded } from './hookline.ts';

export interface HookTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  execute(input?: unknown): Promise<ReloadReport>;
}

export interface ReloadReport {
  /** Whether every hook that was found is active, unless its own file disables it. */
  readonly ok: boolean;
  /** How many hooks are loaded from files. */
  readonly hooks: number;
  /** How many hooks run. */
  readonly active: number;
  /** Hooks that are loaded and do not run. */
  readonly inactive: readonly InactiveHook[];
  /** The files whose hooks run in their last good version, because the files are broken now. */
  readonly kept: readonly string[];
  /** The result for the agent, in sentences. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface InactiveHook {
  readonly name: string;
  readonly file: string;
  /** Why it does not run. */
  readonly state: string;
  /** The step that a person must take. */
  readonly fix: string;
}

/** The parts of an engine that a reload needs. */
export interface Reloadable {
  reload(): Promise<Reloaded>;
  list(): Promise<{ readonly hooks: readonly ListedHook[] }>;
}

export function reloadTool(engine: Reloadable): HookTool {
  return {
    name: 'hook_reload',
    description:
      'Reads all hook files again and applies the new hooks at once. Tells which hooks do not run, and what a person must do. If they cannot be read, the old ones stay in force.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    execute: () => reloadAndReport(engine),
  };
}

async function reloadAndReport({ reload, list }: Reloadable): Promise<ReloadReport> {
  try {
    const { hooks, diagnostics } = await reload();
    const { hooks: listed } = await list();
    const inactive = listed.filter(({ state }) => state !== 'active').map(inactiveHook);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const kept = diagnostics.flatMap(({ code, file }) => (code === 'kept-last-good' && file !== undefined ? [file] : []));
    const active = listed.length - inactive.length;
    return {
      ok: errors.length === 0 && inactive.every(({ state }) => BY_ITSELF.includes(state)),
      hooks,
      active,
      inactive,
      kept: [...new Set(kept)],
      message: sentences(active, inactive, errors, diagnostics).join(' '),
      diagnostics,
    };
  } catch (error) {
    const { hooks: listed } = await list().catch(() => ({ hooks: [] }));
    const active = listed.filter(({ state }) => state === 'active').length;
    const message = `Nothing was changed, and ${count(active)} as before: ${error instanceof Error ? error.message : String(error)}`;
    const diagnostics: readonly Diagnostic[] = [{ severity: 'error', code: 'reload-failed', message }];
    const inactive = listed.filter(({ state }) => state !== 'active').map(inactiveHook);
    return { ok: false, hooks: 0, active, inactive, kept: [], message, diagnostics };
  }
}

/** States that a hook's own file asks for. */
const BY_ITSELF: readonly string[] = ['disabled', 'nothing to run'];

function inactiveHook({ name, source, state, fix = '' }: ListedHook): InactiveHook {
  return { name, file: source.file, state, fix };
}

function sentences(
  active: number,
  inactive: readonly InactiveHook[],
  errors: readonly Diagnostic[],
  diagnostics: readonly Diagnostic[],
): readonly string[] {
  return [
    `${capital(count(active))}.`,
    ...inactive.map(({ name, file, state, fix }) => `Not active: \`${name}\` (${file}), because: ${state}.${fix === '' ? '' : ` ${fix}`}`),
    ...errors.map(
      ({ file, line, message }) => `Broken: ${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${message}`,
    ),
    ...diagnostics.filter(({ code }) => code === 'kept-last-good').map(({ message, file }) => `${message} (${file})`),
  ];
}

function count(active: number): string {
  return `${active} ${active === 1 ? 'hook is' : 'hooks are'} active`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
