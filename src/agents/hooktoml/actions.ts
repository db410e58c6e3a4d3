/** The three things a hook can do. Exactly one of them must be there; each becomes a handler's type and config. */
import { type Entry, entryOf, kindName, type MapNode } from '../../core/document.ts';
import type { Hook } from '../../core/hook.ts';
import { type Complaints, readScalar } from '../../core/loading.ts';
import { readTable, readText, readTimeoutMs, warnUnknown } from './manifest.ts';
import { canInject, type EventName, profile } from './profile.ts';

export interface Action {
  readonly handler: Hook['handler'];
  readonly timeoutMs: number;
  readonly cwd: string;
}

const KINDS = ['shell', 'http', 'prompt_inject'] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FALLBACK_MS = profile.ask.timeout.fallbackMs;

export function readAction(hook: MapNode, event: EventName | undefined, folder: string, complaints: Complaints): Action | undefined {
  const action = readTable(hook, 'action', 'hook.action.shell', complaints);
  if (action) warnUnknown(action, KINDS, '`[hook.action]`', complaints);
  const given = KINDS.filter((kind) => entryOf(action, kind));
  const [kind, second] = given;
  if (kind === undefined) {
    if (action || !entryOf(hook, 'action')) {
      const hint = 'Add one of `[hook.action.shell]`, `[hook.action.http]`, `[hook.action.prompt_inject]`.';
      complaints.say('error', 'missing-field', (action ?? hook).at, 'The hook has no action, so there is nothing to run.', hint);
    }
    return undefined;
  }
  if (second !== undefined) {
    const [, later] = given
      .map((name) => entryOf(action, name) as Entry)
      .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
    const what = `The hook has ${given.length} actions (${given.join(', ')}); exactly one is allowed.`;
    complaints.say('error', 'too-many-actions', later?.at, what, 'Make a hook of its own for each action.');
    return undefined;
  }
  const table = readTable(action as MapNode, kind, `hook.action.${kind}`, complaints);
  if (!table) return undefined;
  switch (kind) {
    case 'shell':
      return readShell(table, folder, complaints);
    case 'http':
      return readHttp(table, folder, complaints);
    case 'prompt_inject':
      return readInject(table, event, folder, complaints);
  }
}

function readShell(table: MapNode, folder: string, complaints: Complaints): Action | undefined {
  warnUnknown(table, ['command', 'timeout_secs', 'workdir'], '`[hook.action.shell]`', complaints);
  const command = readText(table, 'command', 'hook.action.shell', complaints);
  const timeoutMs = readTimeoutMs(table, FALLBACK_MS, complaints);
  const cwd = readWorkdir(table, folder, complaints);
  return command && cwd !== undefined ? { handler: { type: 'command', config: { command: command.value } }, timeoutMs, cwd } : undefined;
}

/** Absolute as it stands, relative below the hook's folder. */
function readWorkdir(table: MapNode, folder: string, complaints: Complaints): string | undefined {
  const workdir = readScalar(table, 'workdir', 'string', complaints);
  if (!workdir) return folder;
  const { value, at } = workdir;
  const segments = value.split(/[/\\]/);
  if (segments.includes('..')) {
    complaints.say('error', 'bad-path', at, '`workdir` must not contain `..`.', 'Write the folder as an absolute path.');
    return undefined;
  }
  if (segments[0]?.startsWith('~')) {
    complaints.say('error', 'bad-path', at, '`~` is not expanded in `workdir`.', 'Write the folder as an absolute path.');
    return undefined;
  }
  if (value.startsWith('/') || /^[A-Za-z]:[/\\]/.test(value)) return value;
  const below = segments.filter((segment) => segment !== '' && segment !== '.');
  return [folder, ...below].join('/');
}

function readHttp(table: MapNode, folder: string, complaints: Complaints): Action | undefined {
  warnUnknown(table, ['url', 'method', 'headers', 'body', 'timeout_secs'], '`[hook.action.http]`', complaints);
  const url = readText(table, 'url', 'hook.action.http', complaints);
  if (url && !(URL.canParse(url.value) && /^https?:$/.test(new URL(url.value).protocol))) {
    const what = `\`url\` must be an http or https address, found ${JSON.stringify(url.value)}.`;
    complaints.say('error', 'bad-url', url.at, what, 'Write it in full, like `https://example.com/hook`.');
  }
  const method = readScalar(table, 'method', 'string', complaints);
  if (method && !METHODS.includes(method.value.toUpperCase())) {
    const what = `\`method\` must be one of ${METHODS.join(', ')}, found ${JSON.stringify(method.value)}.`;
    complaints.say('error', 'out-of-range', method.at, what, 'Leave it out to get POST.');
  }
  const body = readScalar(table, 'body', 'string', complaints);
  const headers = readHeaders(table, complaints);
  const timeoutMs = readTimeoutMs(table, FALLBACK_MS, complaints);
  if (!url) return undefined;
  const config = {
    url: url.value,
    method: method?.value.toUpperCase() ?? 'POST',
    ...(headers && { headers }),
    ...(body && { body: body.value }),
  };
  return { handler: { type: 'http', config }, timeoutMs, cwd: folder };
}

function readHeaders(http: MapNode, complaints: Complaints): Record<string, string> | undefined {
  const table = readTable(http, 'headers', 'hook.action.http.headers', complaints);
  if (!table) return undefined;
  const headers: [string, string][] = [];
  for (const { key, at, value } of table.entries) {
    if (!HEADER_NAME.test(key)) complaints.say('error', 'bad-header', at, `${JSON.stringify(key)} can not be the name of a header.`);
    else if (value.kind !== 'scalar' || typeof value.value !== 'string') {
      complaints.say('error', 'wrong-type', value.at, `Header \`${key}\` must be text, found ${kindName(value)}.`);
    } else if (/[\r\n\0]/.test(value.value)) {
      complaints.say('error', 'bad-header', value.at, `Header \`${key}\` must stand on one line.`);
    } else headers.push([key, value.value]);
  }
  return Object.fromEntries(headers);
}

function readInject(table: MapNode, event: EventName | undefined, folder: string, complaints: Complaints): Action | undefined {
  warnUnknown(table, ['content', 'position'], '`[hook.action.prompt_inject]`', complaints);
  const content = readText(table, 'content', 'hook.action.prompt_inject', complaints);
  const position = readScalar(table, 'position', 'string', complaints);
  if (position && position.value !== 'prepend' && position.value !== 'append') {
    const what = `\`position\` must be \`prepend\` or \`append\`, found ${JSON.stringify(position.value)}.`;
    complaints.say('error', 'out-of-range', position.at, what);
  }
  if (event !== undefined && !canInject(event)) {
    const what = `\`prompt_inject\` has no effect on \`${event}\`: there is no prompt or message to add to.`;
    complaints.say('error', 'no-effect', table.at, what, 'Use `before_prompt_build` or `on_message_sending`.');
  }
  if (!content) return undefined;
  const reply = { inject: content.value, position: position?.value ?? 'prepend' };
  return { handler: { type: 'static', config: { reply } }, timeoutMs: FALLBACK_MS, cwd: folder };
}
