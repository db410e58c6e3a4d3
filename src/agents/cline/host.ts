/** Cline as a host: a script for each event, whose name is the event. */
import type { Host } from '../../core/contracts/host.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';
import { scriptText } from './script-text.ts';
import { HOOK_NAMES } from './wire.ts';

/** Milliseconds that it waits for a hook; then it continues as if no hook had objected. */
const PATIENCE_MS = 120_000;

export const clineHost: Host = {
  id: dialect.id,
  title: 'Cline',
  dialect,
  eventsOf,
  eventKey: dialect.wire.eventKey,
  decidedBy: null,
  signs: { payload: ['clineVersion'], env: [], markers: [], project: null, programs: ['cline', 'cline-core', 'cline-host'], editors: [] },
  tells: { version: { key: 'clineVersion' }, agent: ['agent_id'], parent: ['parent_agent_id'] },
  asksPeople: [],
  attendance: null,
  unleashed: {
    words: ['--yolo', '-y'],
    env: {},
  },
  timeoutMs: () => PATIENCE_MS,
  deniesByExit: false,
  mcpTools: { prefix: '', between: '__', except: [] },
  emptyFails: [],
  asksAhead: [],
  fileHead: null,
  alsoReads: [],
  entry: {
    files: { user: 'Documents/Cline/Hooks', project: '.clinerules/hooks' },
    reads: null,
    traces: ['.cline', 'Documents/Cline'],
    events: Object.keys(dialect.profile.events),
    http: false,
    entry: (event, command) => ({ path: [event], value: scriptText(event, command) }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};

/** The payload has a name of its own for the event; the extension for editors writes that of the file. */
function eventsOf(payload: JsonObject, asked: string | undefined): readonly string[] | string {
  const name = textOf(payload['hookName']);
  const [file] = Object.entries(HOOK_NAMES).find(([, own]) => own === name) ?? [];
  const event = file ?? (name !== undefined && Object.hasOwn(HOOK_NAMES, name) ? name : asked) ?? name;
  return event === undefined ? 'The payload has no `hookName`.' : [event];
}
