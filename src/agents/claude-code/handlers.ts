/**
 * Reads one handler: its kind and the fields it needs. A bad handler is reported; its neighbours load. Every way to write a command becomes one
 * line for a shell, so that what is audited and what runs are the same text. Placeholders become variables, which the shell fills in without
 * reading their values as code.
 */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, fieldOf, kindName, type MapNode, type Node, toJson } from '../../core/values/document.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Problems, readScalar, stringsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type FoundHandler, reportLooseShape, shellLine } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { PLATFORM_KEYS, reportOtherPlatform, withPlatformCommand } from '../kit/platform-commands.ts';
import { toolHandler } from '../kit/tool-hook.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readServer } from './servers.ts';

/** Variables that a command may contain as `${NAME}`. */
const PLACEHOLDER = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA|user_config\.([A-Za-z_]\w*))\}/g;

/** The shell form: as it stands, but for `${user_config.x}`, which no shell could read. */
export function shellForm(command: string, shell: string | undefined): string {
  const line = command.replace(PLACEHOLDER, (whole, name: string, option?: string) =>
    option === undefined ? whole : `\${${variable(name)}}`,
  );
  if (shell === 'bash') return `bash -c ${shellLine([line])}`;
  return shell === 'powershell' ? `pwsh -NoProfile -NonInteractive -Command ${shellLine([line])}` : line;
}

/** The exec form: no shell reads the words; only placeholders are filled in. */
export function execForm(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word === '') return "''";
  let line = '';
  let from = 0;
  for (const match of word.matchAll(PLACEHOLDER)) {
    line += `${plain(word.slice(from, match.index))}"\${${variable(match[1] ?? '')}}"`;
    from = match.index + match[0].length;
  }
  return line + plain(word.slice(from));
}

function plain(text: string): string {
  return text === '' ? '' : shellLine([text]);
}

function variable(name: string): string {
  return name.startsWith('user_config.') ? `CLAUDE_PLUGIN_OPTION_${name.slice('user_config.'.length).toUpperCase()}` : name;
}

/**
 * Reads the headers of an http handler, and which variables may be put into them. Their values are looked up when the hook runs, never before.
 * Undefined if they cannot be read: without its headers a request may go where it should not, or say less than it should.
 */
export function headersIn(fields: MapNode, problems: Problems): JsonObject | undefined {
  const node = fieldOf(fields, 'headers');
  if (!node || (node.kind === 'scalar' && node.value === null)) return {};
  if (node.kind !== 'map') {
    const hint = 'Write `{"Authorization": "Bearer $TOKEN"}`.';
    problems.report('error', 'wrong-type', node.at, `\`headers\` must be a map of names to texts, found ${kindName(node)}.`, hint);
    return undefined;
  }
  const headers: [string, string][] = [];
  for (const { key, value } of node.entries) {
    if (value.kind !== 'scalar' || value.value === null) {
      problems.report('error', 'wrong-type', value.at, `The header \`${key}\` must be text, found ${kindName(value)}.`, 'Quote its value.');
      return undefined;
    }
    headers.push([key, String(value.value)]);
  }
  const allowed = fieldOf(fields, 'allowedEnvVars');
  const names = allowed && allowed.kind === 'list' && allowed.items.length > 0 ? stringsIn(allowed) : [];
  if (!names || (allowed && allowed.kind !== 'list')) {
    problems.report('error', 'wrong-type', allowed?.at, '`allowedEnvVars` must be a list of names.', 'Write `["TOKEN"]`.');
    return undefined;
  }
  return { headers: Object.fromEntries(headers), allowedEnvVars: names };
}

type Handler = Hook['handler'];

const COMMON = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'matcher', 'name', 'description', 'required'];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: [...COMMON, 'command', ...PLATFORM_KEYS, 'args', 'shell', 'async', 'asyncRewake', 'rewakeMessage', 'rewakeSummary', 'cloud'],
  http: [...COMMON, 'url', 'headers', 'allowedEnvVars'],
  prompt: [...COMMON, 'prompt', 'model', 'continueOnBlock'],
  agent: [...COMMON, 'prompt', 'model'],
  mcp_tool: [...COMMON, 'server', 'tool', 'input'],
};

export function readHandler({ fields, line, path, at }: FoundHandler, context: LoadContext, problems: Problems): Handler | undefined {
  if (!fields) {
    reportLooseShape(problems, at, `\`${path}\` is a bare command.`, 'Write `{"type": "command", "command": "…"}`.');
    return { type: 'command', config: { command: shellForm(line ?? '', undefined) } };
  }
  const own = ownHandler(fields, context);
  if (own) {
    const what = `\`${own.type}\` is a type of Hookline's own, which Claude Code does not know.`;
    problems.report(
      'warning',
      'unknown-type',
      entryOf(fields, 'type')?.value.at,
      what,
      `Write \`{"type": "command", "command": "hookline ${own.type}"}\`.`,
    );
    return own;
  }
  const type = typeIn(fields, path, problems);
  if (type === undefined) return undefined;
  warnUnknown(fields, FIELDS[type] ?? [], `a handler of type \`${type}\``, problems);
  switch (type) {
    case 'command':
      return commandIn(fields, path, problems);
    case 'http':
      return httpIn(fields, path, problems);
    case 'mcp_tool':
      return toolIn(fields, path, context, problems);
    default:
      return askedIn(type, fields, path, problems);
  }
}

function typeIn(fields: MapNode, path: string, problems: Problems): string | undefined {
  const entry = entryOf(fields, 'type');
  if (!entry) {
    const guess = ['url', 'server', 'prompt'].find((key) => entryOf(fields, key));
    const type = { url: 'http', server: 'mcp_tool', prompt: 'prompt' }[guess ?? ''] ?? 'command';
    reportLooseShape(problems, fields.at, `\`${path}\` has no \`type\`; it is taken for \`${type}\`.`, `Add \`"type": "${type}"\`.`);
    return type;
  }
  const type = readScalar(fields, 'type', 'string', problems)?.value;
  if (type === undefined || Object.hasOwn(FIELDS, type)) return type;
  const near = suggest(type, Object.keys(FIELDS));
  const hint = near ? `Did you mean \`${near}\`?` : `Known types: ${Object.keys(FIELDS).join(', ')}.`;
  problems.report(
    'warning',
    'unknown-type',
    entry.value.at,
    `\`${path}\` is of type \`${type}\`, which does not exist; it is skipped.`,
    hint,
  );
  return undefined;
}

function commandIn(written: MapNode, path: string, problems: Problems): Handler | undefined {
  // quirk platform-commands
  const fields = withPlatformCommand(written, path, problems);
  if (!isGiven(fieldOf(fields, 'command')) && reportOtherPlatform(fields, path, problems)) return undefined;
  const listed = stringsIn(fieldOf(fields, 'command'));
  if (listed) {
    reportLooseShape(
      problems,
      fields.at,
      `The \`command\` of \`${path}\` should be text, found a list.`,
      'Put what follows the program into `args`.',
    );
    return { type: 'command', config: { command: execForm(listed) } };
  }
  const command = textIn(fields, 'command', path, problems);
  if (command === undefined) return undefined;
  const args = fieldOf(fields, 'args');
  if (args && isGiven(args)) {
    const words = args.kind === 'list' && args.items.length === 0 ? [] : stringsIn(args);
    if (words) return { type: 'command', config: { command: execForm([command, ...words]) } };
    problems.report(
      'error',
      'wrong-type',
      args.at,
      `\`args\` of \`${path}\` must be a list of texts; it is skipped.`,
      'Quote every argument.',
    );
    return undefined;
  }
  const shell = readScalar(fields, 'shell', 'string', problems);
  if (shell && shell.value !== 'bash' && shell.value !== 'powershell') {
    problems.report(
      'error',
      'out-of-range',
      shell.at,
      `\`shell\` must be \`bash\` or \`powershell\`, found \`${shell.value}\`.`,
      'Leave it out.',
    );
    return undefined;
  }
  return { type: 'command', config: { command: shellForm(command, shell?.value) } };
}

function isGiven(node: Node | undefined): boolean {
  return node !== undefined && !(node.kind === 'scalar' && node.value === null);
}

function httpIn(fields: MapNode, path: string, problems: Problems): Handler | undefined {
  const url = textIn(fields, 'url', path, problems);
  const headers = headersIn(fields, problems);
  if (url === undefined || headers === undefined) return undefined;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { type: 'http', config: { url, ...headers } };
  problems.report(
    'error',
    'bad-url',
    fieldOf(fields, 'url')?.at,
    `\`${url}\` is no full address.`,
    'Begin it with `https://` or `http://`.',
  );
  return undefined;
}

/** `$ARGUMENTS` in a prompt stands for what the hook is shown. */
function askedIn(type: string, fields: MapNode, path: string, problems: Problems): Handler | undefined {
  const prompt = textIn(fields, 'prompt', path, problems);
  if (prompt === undefined) return undefined;
  const model = readScalar(fields, 'model', 'string', problems)?.value;
  const named = model === undefined ? {} : { model };
  return { type, config: { prompt, ...named, arguments: '$ARGUMENTS', ...(type === 'agent' && { agent: 'verifier' }) } };
}

function toolIn(fields: MapNode, path: string, context: LoadContext, problems: Problems): Handler | undefined {
  const server = textIn(fields, 'server', path, problems);
  const tool = textIn(fields, 'tool', path, problems);
  const input = fieldOf(fields, 'input');
  if (server === undefined || tool === undefined) return undefined;
  const named = { server, tool, ...(input && { input: toJson(input) }), at: fieldOf(fields, 'server')?.at };
  return toolHandler(named, context, readServer, problems);
}

function textIn(fields: MapNode, key: string, path: string, problems: Problems): string | undefined {
  const node = fieldOf(fields, key);
  if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  const found = node && (node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node));
  const what = found === undefined ? `\`${path}\` has no \`${key}\`` : `\`${key}\` of \`${path}\` must be text, found ${found}`;
  const hint = `Add \`"${key}": "…"\`.`;
  if (found === undefined) problems.report('error', 'missing-field', fields.at, `${what}; it is skipped.`, hint);
  else problems.report('error', 'wrong-type', (node ?? fields).at, `${what}; it is skipped.`, hint);
  return undefined;
}
