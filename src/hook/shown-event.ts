/** The event as a hook in a worker is shown it: frozen, with the state of the session and with commands that the guard judges. */
import { freezeOwn } from '../core/values/frozen.ts';
import type { Json, JsonObject } from '../core/values/json.ts';
import { shellOf } from '../core/values/platform.ts';
import type { RunMessage } from '../handlers/worker/protocol.ts';
import type { ExecOptions, ExecResult, HookState } from './definition.ts';

type AskHookline = (question: JsonObject) => Promise<JsonObject>;

export function shownEvent({ event }: RunMessage, ask: AskHookline): object {
  const session = event['session'] as JsonObject;
  const { session: _, ...rest } = event;
  const exec = (command: string, options?: ExecOptions): Promise<ExecResult> => execute(command, String(session['cwd']), options, ask);
  return Object.freeze({ ...freezeOwn(rest), session: Object.freeze({ ...session, state: stateOf(ask) }), exec });
}

function stateOf(ask: AskHookline): HookState {
  const get = async (key: string) => {
    const { value, version } = await ask({ ask: 'get', key });
    return { value: value ?? undefined, version: version as number };
  };
  return Object.freeze({
    get: async (key: string) => (await get(key)).value,
    set: async (key: string, value: Json) => void (await ask({ ask: 'set', key, value: kept(value) })),
    delete: async (key: string) => void (await ask({ ask: 'set', key, value: null })),
    async update<V extends Json>(key: string, change: (value: Json | undefined) => V): Promise<V> {
      let now: { readonly value: Json | undefined; readonly version: number } = await get(key);
      for (;;) {
        const changed = change(now.value);
        const { done, value, version } = await ask({ ask: 'set', key, value: kept(changed), version: now.version });
        if (done === true) return changed;
        now = { value: value ?? undefined, version: version as number };
      }
    },
  });
}

function kept(value: Json): Json {
  if (JSON.stringify(value) === undefined) throw new TypeError('A value of the session state must be JSON. `delete` removes it.');
  return value;
}

/** The output of a command beyond this makes it fail. */
const MOST_OUTPUT = 8 * 1024 * 1024;

async function execute(command: string, folder: string, { cwd = folder, input }: ExecOptions = {}, ask: AskHookline): Promise<ExecResult> {
  const { allowed, reason } = await ask({ ask: 'judge', command, cwd });
  if (allowed !== true) throw new Error(`The guard denied the command \`${command}\`: ${String(reason)}`);
  // Most hooks run no command, and the module takes a while to load.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = execFile(shellOf(process.platform), ['-c', command], { cwd, maxBuffer: MOST_OUTPUT }, (error, stdout, stderr) => {
      const exit = error ? (error.code ?? null) : 0;
      // A text is the reason why it could not be run at all.
      if (typeof exit === 'string') return reject(error);
      resolve({ exit, stdout, stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}
