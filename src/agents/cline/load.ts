/** Turns one script into one hook: its name is the event, and its first line or its ending names the interpreter. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import type { Document } from '../../core/values/document.ts';
import { shellLine } from '../kit/matcher-groups.ts';
import { type EventName, profile } from './profile.ts';
import { isOwnScript } from './script-text.ts';

export function load({ file, root }: Document, context: LoadContext): Loaded {
  const base = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]*)?$/.exec(base) ?? [];
  const event = EVENTS.find((name) => name.toLowerCase() === stem.toLowerCase());
  const text = root?.kind === 'scalar' && typeof root.value === 'string' ? root.value : undefined;
  if (event === undefined || text === undefined || isOwnScript(text)) return { hooks: [], diagnostics: [] };
  return { hooks: [hookFrom(event, text, ending.toLowerCase(), file, context)], diagnostics: [] };
}

const EVENTS = Object.keys(profile.events) as readonly EventName[];

function hookFrom(event: EventName, text: string, ending: string, file: string, { idPrefix, scope, folder }: LoadContext): Hook {
  // Of a project only the root is the same on every machine that trusts the hook.
  const root = scope === 'project' ? folder.replace(/(?:[\\/][^\\/]+){2}[\\/]*$/, '') : undefined;
  return {
    id: `${idPrefix}#${event}`,
    name: idPrefix.slice(idPrefix.indexOf(':') + 1),
    dialect: 'cline',
    event,
    when: [],
    handler: { type: 'command', config: configFor(text, ending, file) },
    timeoutMs: profile.ask.timeout.fallbackMs,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: 1, column: 1, scope },
    folder,
    ...(root !== undefined && { cwd: root }),
  };
}

/** The programs that run a script without a first line for it. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['node'],
  '.mjs': ['node'],
  '.cjs': ['node'],
  '.ts': ['bun', 'run'],
  '.mts': ['bun', 'run'],
  '.cts': ['bun', 'run'],
  '.py': ['python3'],
  '.ps1': ['pwsh', '-File'],
};

/** quirk need-not-be-executable */
function configFor(text: string, ending: string, file: string): Hook['handler']['config'] {
  if (/^#!\s*\S/.test(text)) return { script: file, viaShebang: true };
  return { command: shellLine([...(INTERPRETERS[ending] ?? ['bash']), file]) };
}
