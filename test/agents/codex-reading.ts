/**
 * What Codex makes of hook files that are not as it expects, as it was observed: the files, the commands that it ran of `good` and `other`, and a
 * part of the line that it printed. The agent itself and Hookline's loader are both compared with this table.
 */
import type { Json } from '../../src/core/values/json.ts';

export interface Reading {
  readonly name: string;
  readonly file: 'hooks.json' | 'config.toml';
  readonly text: string;
  readonly ran: readonly string[];
  /** Null: it prints nothing. */
  readonly prints: string | null;
  /** Codex ends with an error before it asks a model. */
  readonly refusesToStart?: true;
}

const GOOD = { type: 'command', command: 'touch good' };
const OTHER = { type: 'command', command: 'touch other' };
const TOOL = { type: 'mcp_tool', server: 's', tool: 't' };
const GROUP = { hooks: [GOOD] };

const DROPPED = 'failed to parse hooks config';
const BOTH = ['good', 'other'];

function json(name: string, value: Json | string, ran: readonly string[], prints: string | null): Reading {
  return { name, file: 'hooks.json', text: typeof value === 'string' ? value : JSON.stringify(value), ran, prints };
}

/** A good group on the tool, and something else next to it. */
function beside(name: string, hooks: Json, ran: readonly string[], prints: string | null): Reading {
  return json(name, { hooks: { PreToolUse: [GROUP], ...(hooks as object) } }, ran, prints);
}

function group(name: string, other: Json, ran: readonly string[], prints: string | null): Reading {
  return json(name, { hooks: { PreToolUse: [other, GROUP] } }, ran, prints);
}

function handler(name: string, other: Json, ran: readonly string[], prints: string | null): Reading {
  return json(name, { hooks: { PreToolUse: [{ hooks: [other, GOOD] }] } }, ran, prints);
}

function written(name: string, text: string, ran: readonly string[], prints: string | null): Reading {
  return json(name, text.replaceAll('GOOD', JSON.stringify(GOOD)).replaceAll('OTHER', JSON.stringify(OTHER)), ran, prints);
}

const TABLE = '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\n';
const GOOD_TABLE = `${TABLE}type = "command"\ncommand = "touch good"\n`;
const OTHER_TABLE = `${TABLE}type = "command"\ncommand = "touch other"\n`;

function toml(name: string, text: string, ran: readonly string[], prints: string | null): Reading {
  const isRefused = prints?.startsWith('Error') === true;
  return { name, file: 'config.toml', text: `${text}${GOOD_TABLE}`, ran, prints, ...(isRefused && { refusesToStart: true }) };
}

export const READINGS: readonly Reading[] = [
  json('a file as it should be', { description: 'mine', hooks: { PreToolUse: [GROUP] } }, ['good'], null),
  json('a description of null', { description: null, hooks: { PreToolUse: [GROUP] } }, ['good'], null),
  // At the top.
  json('an unknown key at the top', { version: 1, hooks: { PreToolUse: [GROUP] } }, [], 'unknown field `version`'),
  json('a schema at the top', { $schema: 'x', hooks: { PreToolUse: [GROUP] } }, [], 'unknown field `$schema`'),
  json('a description that is a number', { description: 7, hooks: { PreToolUse: [GROUP] } }, [], 'expected a string'),
  json('events without `hooks` around them', { PreToolUse: [GROUP] }, [], 'unknown field `PreToolUse`'),
  json('`hooks` of null', { hooks: null }, [], DROPPED),
  json('`hooks` as text', { hooks: 'x' }, [], DROPPED),
  json('`hooks` as a list of maps', { hooks: [{ PreToolUse: [GROUP] }] }, [], DROPPED),
  json('`hooks` within `hooks`', { hooks: { hooks: { PreToolUse: [GROUP] } } }, [], null),
  written(
    '`hooks` written twice',
    '{"hooks":{"PreToolUse":[{"hooks":[OTHER]}]},"hooks":{"PreToolUse":[{"hooks":[GOOD]}]}}',
    [],
    'duplicate field',
  ),
  written('a comment', '{// mine\n"hooks":{"PreToolUse":[{"hooks":[GOOD]}]}}', [], DROPPED),
  written('a comma after the last item', '{"hooks":{"PreToolUse":[{"hooks":[GOOD,]}]}}', [], 'trailing comma'),
  written('a byte order mark', '\uFEFF{"hooks":{"PreToolUse":[{"hooks":[GOOD]}]}}', [], DROPPED),
  // Events.
  beside('an unknown event', { PreToolUs: [{ hooks: [OTHER] }] }, ['good'], null),
  beside('an unknown event with a value of any type', { Elsewhere: 7 }, ['good'], null),
  beside('an event of another agent', { Notification: [{ hooks: [{ type: 'http' }] }] }, ['good'], null),
  beside('an event of null', { Stop: null }, [], DROPPED),
  beside('an event of false', { Stop: false }, [], DROPPED),
  beside('an event as a map', { Stop: { hooks: [OTHER] } }, [], DROPPED),
  beside('an event without groups', { Stop: [] }, ['good'], null),
  written('an event written twice', '{"hooks":{"PreToolUse":[{"hooks":[OTHER]}],"PreToolUse":[{"hooks":[GOOD]}]}}', [], 'duplicate field'),
  written('an unknown event written twice', '{"hooks":{"Foo":[],"Foo":[],"PreToolUse":[{"hooks":[GOOD]}]}}', ['good'], null),
  // Groups.
  group('an unknown key in a group', { matchr: 'Nothing', hooks: [OTHER] }, BOTH, null),
  group('a group without `hooks`', { matcher: 'Bash' }, ['good'], null),
  group('a group whose `hooks` are null', { hooks: null }, [], DROPPED),
  group('a group whose `hooks` are a map', { hooks: OTHER }, [], DROPPED),
  group('a handler without a group', OTHER, ['good'], null),
  group('a command as a group', 'touch other', [], DROPPED),
  group('a matcher of null', { matcher: null, hooks: [OTHER] }, BOTH, null),
  group('a matcher that is a number', { matcher: 7, hooks: [OTHER] }, [], DROPPED),
  group('a matcher that is a list', { matcher: ['Bash'], hooks: [OTHER] }, [], DROPPED),
  group('a matcher that is no pattern', { matcher: '[', hooks: [OTHER] }, ['good'], 'invalid matcher'),
  written('a matcher written twice', '{"hooks":{"PreToolUse":[{"matcher":"x","matcher":"Bash","hooks":[GOOD]}]}}', [], 'duplicate field'),
  // Handlers.
  handler('an unknown key in a handler', { ...OTHER, retries: 2 }, BOTH, null),
  handler('a matcher in a handler', { ...OTHER, matcher: 'Nothing' }, BOTH, null),
  handler('a timeout under another name', { ...OTHER, timeoutSec: 'x' }, BOTH, null),
  handler('no type', { command: 'touch other' }, [], 'missing field `type`'),
  handler('an unknown type', { type: 'http', url: 'http://127.0.0.1:9/' }, [], 'unknown variant `http`'),
  handler('a type in capitals', { ...OTHER, type: 'Command' }, [], 'unknown variant `Command`'),
  handler('a type that is a number', { ...OTHER, type: 7 }, [], DROPPED),
  handler('a prompt', { type: 'prompt', prompt: 7 }, ['good'], 'skipping prompt hook'),
  handler('an agent', { type: 'agent', prompt: 'x' }, ['good'], 'skipping agent hook'),
  handler('no command', { type: 'command' }, [], 'missing field `command`'),
  handler('an empty command', { ...OTHER, command: ' ' }, ['good'], 'skipping empty hook command'),
  handler('a command as a list', { ...OTHER, command: ['touch', 'other'] }, [], DROPPED),
  handler('a command as a handler', 'touch other', [], DROPPED),
  handler('words as a handler', ['touch', 'other'], [], DROPPED),
  handler('a timeout as text', { ...OTHER, timeout: '5' }, [], DROPPED),
  handler('a timeout below zero', { ...OTHER, timeout: -1 }, [], DROPPED),
  handler('a timeout with a fraction', { ...OTHER, timeout: 1.5 }, [], DROPPED),
  handler('a timeout of null', { ...OTHER, timeout: null }, BOTH, null),
  handler('`async` as text', { ...OTHER, async: 'true' }, [], DROPPED),
  handler('`async` of null', { ...OTHER, async: null }, [], DROPPED),
  handler('a status message that is a number', { ...OTHER, statusMessage: 7 }, [], DROPPED),
  handler('a command for Windows that is a number', { ...OTHER, command_windows: 7 }, [], DROPPED),
  handler('a limit of context as text', { ...OTHER, additionalContextLimit: '7' }, [], DROPPED),
  written(
    'a command written twice',
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","command":"y"},GOOD]}]}}',
    [],
    'duplicate field',
  ),
  written(
    'an unknown key written twice',
    '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch other","a":1,"a":2},GOOD]}]}}',
    BOTH,
    null,
  ),
  handler('a tool without its name', { type: 'mcp_tool', server: 's' }, [], 'missing field `tool`'),
  handler('a tool whose input is null', { ...TOOL, input: null }, [], DROPPED),
  handler('a tool whose input is a list', { ...TOOL, input: [1] }, [], DROPPED),
  handler('an unknown key in a tool', { ...TOOL, async: 'x' }, ['good'], null),
  // In config.toml.
  toml('tables as they should be', '', ['good'], null),
  toml('an unknown key in a table', '[hooks]\ndescription = 7\n', ['good'], null),
  toml('an unknown event in a table', '[[hooks.PreToolUs]]\n[[hooks.PreToolUs.hooks]]\ntype = "http"\n', ['good'], null),
  toml('an unknown key in the table of a group', OTHER_TABLE.replace('[[hooks.PreToolUse.hooks]]', 'matchr = "x"\n$&'), BOTH, null),
  toml('an unknown key in the table of a handler', `${OTHER_TABLE}retries = 2\n`, BOTH, null),
  toml('events beside the tables', OTHER_TABLE.replaceAll('hooks.PreToolUse', 'PreToolUse'), ['good'], '`PreToolUse` is ignored'),
  toml('a table of a handler without a group', '[[hooks.PreToolUse]]\ntype = "command"\ncommand = "touch other"\n', ['good'], null),
  toml('a prompt in a table', `${TABLE}type = "prompt"\n`, ['good'], 'skipping prompt hook'),
  toml('an unknown type in a table', `${TABLE}type = "http"\n`, [], 'Error loading config.toml: unknown variant `http`'),
  toml('no type in a table', `${TABLE}command = "touch other"\n`, [], 'Error loading config.toml: missing field `type`'),
  toml('a command as a list in a table', `${TABLE}type = "command"\ncommand = ["touch"]\n`, [], 'Error loading config.toml: invalid type'),
  toml('a timeout as text in a table', `${OTHER_TABLE}timeout = "5"\n`, [], 'Error loading config.toml: invalid type'),
  toml('a known event that is a number', '[hooks]\nStop = 7\n', [], 'Error loading config.toml: invalid type'),
];
