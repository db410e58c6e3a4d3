/** Qwen Code as a host. It can ask its user before a tool runs; without a terminal it takes the wish for a refusal. */
import type { Host } from '../../core/contracts/host.ts';
import { textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** What it waits for any hook, whatever the entry says; then the tool runs. */
const WAITS_MS = 60_000;
const WAITS_FOR_BATCH_MS = 15_000;
/** Seconds, below the number from which on Qwen Code reads milliseconds. */
const PATIENCE = WAITS_MS / 1000;

export const qwenHost: Host = {
  id: dialect.id,
  title: 'Qwen Code',
  speaks: dialect,
  eventsOf(payload, asked) {
    const name = textOf(payload['hook_event_name']) ?? asked;
    // Once more with an empty prompt for every result of a tool: nobody has submitted anything.
    if (name === 'UserPromptSubmit' && payload['prompt'] === '') return [];
    if (name !== undefined && Object.hasOwn(dialect.profile.events, name)) return [name];
    return name === undefined ? 'The payload has no `hook_event_name`.' : `Qwen Code has no event \`${name}\` that Hookline knows.`;
  },
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: (event) => (event === 'PostToolBatch' ? WAITS_FOR_BATCH_MS : WAITS_MS),
  signs: { env: ['QWEN_PROJECT_DIR'] },
  entry: {
    files: { user: '.qwen/settings.json', project: '.qwen/settings.json' },
    movedBy: { variable: 'QWEN_HOME', holds: '.qwen' },
    // A message on display is a process for every piece of it.
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'MessageDisplay'),
    // Whatever is wrong with an address lets the event happen.
    http: { blocksWhenDead: () => false },
    entry: (event, command) => ({ path: ['hooks', event], value: { hooks: [{ type: 'command', command, timeout: PATIENCE }] } }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
