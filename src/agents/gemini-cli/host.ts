/** Gemini CLI as a host. It reads stderr where stdout is empty, and asks its user before a tool runs if a hook says so. */
import type { Host } from '../../core/contracts/host.ts';
import { textOf } from '../../core/values/json.ts';
import { dialect } from './dialect.ts';

/** Milliseconds. */
const PATIENCE = 600_000;

export const geminiCliHost: Host = {
  id: dialect.id,
  title: 'Gemini CLI',
  speaks: dialect,
  eventsOf(payload, asked) {
    const name = textOf(payload['hook_event_name']) ?? asked;
    if (name !== undefined && Object.hasOwn(dialect.profile.events, name)) return [name];
    return name === undefined ? 'The payload has no `hook_event_name`.' : `Gemini CLI has no event \`${name}\` that Hookline knows.`;
  },
  degrade: { ask: 'deny', rewrite: 'deny', context: 'say', notice: 'say' },
  waitsMs: () => PATIENCE,
  // Others set `GEMINI_PROJECT_DIR` too.
  signs: { env: ['GEMINI_SESSION_ID', 'GEMINI_PLANS_DIR'] },
  entry: {
    files: { user: '.gemini/settings.json', project: '.gemini/settings.json' },
    // A model's answer is a process for every piece of it, and nothing can be said to the choice of tools.
    events: Object.keys(dialect.profile.events).filter((event) => event !== 'AfterModel' && event !== 'BeforeToolSelection'),
    http: false,
    entry: (event, command) => ({
      path: ['hooks', event],
      value: { hooks: [{ type: 'command', command, name: 'hookline', timeout: PATIENCE }] },
    }),
  },
  limits: async () => (await import('./host-limits.ts')).limits,
};
