/** Two hosts to install into: one with groups under `hooks`, as most have them, and one with flat entries. They speak an existing dialect. */

import { dialect as claudeAgent } from '../../../src/agents/claude-agent/dialect.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { PLAIN_MCP } from '../../../src/core/event/tool-names.ts';

const common = {
  dialect: claudeAgent,
  eventsOf: (payload: Readonly<Record<string, unknown>>): readonly string[] => [String(payload['hook_event_name'])],
  eventKey: 'hook_event_name',
  decidedBy: null,
  signs: { payload: [], env: [], markers: [], project: null, programs: [], editors: [] },
  asksPeople: [],
  attendance: null,
  unleashed: null,
  timeoutMs: null,
  deniesByExit: false,
  mcpTools: PLAIN_MCP,
  emptyFails: [],
  asksAhead: [],
  tells: { version: null, agent: [], parent: [] },
  fileHead: null,
  alsoReads: [],
  limits: async () => ({ blind: [] }),
} as const;

export const grouped: Host = {
  ...common,
  id: 'grouped',
  title: 'Grouped',
  entry: {
    files: { user: '.grouped/settings.json', project: '.grouped/settings.json' },
    reads: { comments: 'read', trailingCommas: true, bom: true, harmless: { statusMessage: true } },
    traces: ['.grouped'],
    events: ['PreToolUse', 'Stop', 'SessionStart'],
    http: { blocksWhenDead: (event) => event === 'PreToolUse' },
    entry: (event, command) => ({ path: ['hooks', event], value: { matcher: '*', hooks: [{ type: 'command', command, timeout: 60 }] } }),
  },
};

export const flat: Host = {
  ...common,
  id: 'flat',
  title: 'Flat',
  entry: {
    files: { user: '.flat/hooks.json' },
    reads: { comments: 'read', trailingCommas: true, bom: true, harmless: {} },
    traces: ['.flat'],
    events: ['PreToolUse', 'Stop'],
    http: false,
    entry: (event, command) => ({ path: [event], value: { command } }),
  },
};

export const tabled: Host = {
  ...common,
  id: 'tabled',
  title: 'Tabled',
  entry: {
    files: { user: '.tabled/config.toml' },
    reads: { comments: 'read', trailingCommas: true, bom: true, harmless: {} },
    traces: ['.tabled'],
    events: ['PreToolUse', 'Stop'],
    http: false,
    entry: (event, command) => ({ path: ['hooks'], value: { event, command, timeout: 30 } }),
  },
};

export const plugged: Host = {
  ...common,
  id: 'plugged',
  title: 'Plugged',
  entry: {
    files: { project: '.plugged/hooks' },
    reads: null,
    traces: ['.plugged'],
    events: ['PreToolUse', 'Stop'],
    http: false,
    entry: (event, command) => ({ path: [event], value: `#!/bin/sh\nexec ${command}\n` }),
  },
};
