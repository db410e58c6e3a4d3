/** One handler: what kind it is and what it needs. A bad one is a complaint; its neighbours load. */
import { entryOf, fieldOf, kindName, type MapNode, toJson } from '../../core/document.ts';
import type { Hook } from '../../core/hook.ts';
import { type Complaints, ownHandler, readScalar } from '../../core/loading.ts';
import { type FoundHandler, sayLoose, wordsIn } from '../../core/matcher-groups.ts';
import { suggest } from '../../core/suggest.ts';
import { execForm, shellForm } from './command-line.ts';
import { headersIn } from './headers.ts';

type Handler = Hook['handler'];

const COMMON = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'matcher', 'name', 'description', 'required'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: [...COMMON, 'command', 'args', 'shell', 'async', 'asyncRewake', 'rewakeMessage', 'rewakeSummary', 'cloud'],
  http: [...COMMON, 'url', 'headers', 'allowedEnvVars'],
  prompt: [...COMMON, 'prompt', 'model', 'continueOnBlock'],
  agent: [...COMMON, 'prompt', 'model'],
  mcp_tool: [...COMMON, 'server', 'tool', 'input'],
};

export function readHandler({ fields, line, path, at }: FoundHandler, complaints: Complaints): Handler | undefined {
  if (!fields) {
    sayLoose(complaints, at, `\`${path}\` is a bare command.`, 'Write `{"type": "command", "command": "…"}`.');
    return { type: 'command', config: { command: shellForm(line ?? '', undefined) } };
  }
  const own = ownHandler(fields);
  if (own) {
    const what = `\`${own.type}\` is a type of Hookline's own, which Claude Code does not know.`;
    complaints.say(
      'warning',
      'unknown-type',
      entryOf(fields, 'type')?.value.at,
      what,
      `Write \`{"type": "command", "command": "hookline ${own.type}"}\`.`,
    );
    return own;
  }
  const type = typeIn(fields, path, complaints);
  if (type === undefined) return undefined;
  warnUnknown(fields, FIELDS[type] ?? [], `a handler of type \`${type}\``, complaints);
  switch (type) {
    case 'command':
      return commandIn(fields, path, complaints);
    case 'http':
      return httpIn(fields, path, complaints);
    case 'mcp_tool':
      return toolIn(fields, path, complaints);
    default:
      return askedIn(type, fields, path, complaints);
  }
}

/** A misspelt key must not go unseen: without its matcher or its rule a hook fires for everything. */
export function warnUnknown(map: MapNode, known: readonly string[], place: string, complaints: Complaints): void {
  for (const { key, at } of map.entries) {
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    const hint = near ? `Did you mean \`${near}\`?` : `Known here: ${known.join(', ')}.`;
    complaints.say('warning', 'unknown-field', at, `There is no \`${key}\` in ${place}; it is ignored.`, hint);
  }
}

function typeIn(fields: MapNode, path: string, complaints: Complaints): string | undefined {
  const entry = entryOf(fields, 'type');
  if (!entry) {
    const guess = ['url', 'server', 'prompt'].find((key) => entryOf(fields, key));
    const type = { url: 'http', server: 'mcp_tool', prompt: 'prompt' }[guess ?? ''] ?? 'command';
    sayLoose(complaints, fields.at, `\`${path}\` has no \`type\`; it is taken for \`${type}\`.`, `Add \`"type": "${type}"\`.`);
    return type;
  }
  const type = readScalar(fields, 'type', 'string', complaints)?.value;
  if (type === undefined || Object.hasOwn(FIELDS, type)) return type;
  const near = suggest(type, Object.keys(FIELDS));
  const hint = near ? `Did you mean \`${near}\`?` : `Known types: ${Object.keys(FIELDS).join(', ')}.`;
  complaints.say(
    'warning',
    'unknown-type',
    entry.value.at,
    `\`${path}\` is of type \`${type}\`, which does not exist; it is skipped.`,
    hint,
  );
  return undefined;
}

function commandIn(fields: MapNode, path: string, complaints: Complaints): Handler | undefined {
  const listed = wordsIn(fieldOf(fields, 'command'));
  if (listed) {
    sayLoose(
      complaints,
      fields.at,
      `The \`command\` of \`${path}\` should be text, found a list.`,
      'Put what follows the program into `args`.',
    );
    return { type: 'command', config: { command: execForm(listed) } };
  }
  const command = textIn(fields, 'command', path, complaints);
  if (command === undefined) return undefined;
  const args = fieldOf(fields, 'args');
  if (args && !(args.kind === 'scalar' && args.value === null)) {
    const words = args.kind === 'list' && args.items.length === 0 ? [] : wordsIn(args);
    if (words) return { type: 'command', config: { command: execForm([command, ...words]) } };
    complaints.say(
      'error',
      'wrong-type',
      args.at,
      `\`args\` of \`${path}\` must be a list of texts; it is skipped.`,
      'Quote every argument.',
    );
    return undefined;
  }
  const shell = readScalar(fields, 'shell', 'string', complaints);
  if (shell && shell.value !== 'bash' && shell.value !== 'powershell') {
    complaints.say(
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

function httpIn(fields: MapNode, path: string, complaints: Complaints): Handler | undefined {
  const url = textIn(fields, 'url', path, complaints);
  const headers = headersIn(fields, complaints);
  if (url === undefined || headers === undefined) return undefined;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { type: 'http', config: { url, ...headers } };
  complaints.say(
    'error',
    'bad-url',
    fieldOf(fields, 'url')?.at,
    `\`${url}\` is no full address.`,
    'Begin it with `https://` or `http://`.',
  );
  return undefined;
}

/** `$ARGUMENTS` in a prompt stands for what the hook is shown. */
function askedIn(type: string, fields: MapNode, path: string, complaints: Complaints): Handler | undefined {
  const prompt = textIn(fields, 'prompt', path, complaints);
  if (prompt === undefined) return undefined;
  const model = readScalar(fields, 'model', 'string', complaints)?.value;
  const named = model === undefined ? {} : { model };
  return { type, config: { prompt, ...named, arguments: '$ARGUMENTS', ...(type === 'agent' && { agent: 'verifier' }) } };
}

function toolIn(fields: MapNode, path: string, complaints: Complaints): Handler | undefined {
  const server = textIn(fields, 'server', path, complaints);
  const tool = textIn(fields, 'tool', path, complaints);
  const input = fieldOf(fields, 'input');
  return server === undefined || tool === undefined
    ? undefined
    : { type: 'mcp_tool', config: { server, tool, ...(input && { input: toJson(input) }) } };
}

function textIn(fields: MapNode, key: string, path: string, complaints: Complaints): string | undefined {
  const node = fieldOf(fields, key);
  if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  const found = node && (node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node));
  const what = found === undefined ? `\`${path}\` has no \`${key}\`` : `\`${key}\` of \`${path}\` must be text, found ${found}`;
  const hint = `Add \`"${key}": "…"\`.`;
  if (found === undefined) complaints.say('error', 'missing-field', fields.at, `${what}; it is skipped.`, hint);
  else complaints.say('error', 'wrong-type', (node ?? fields).at, `${what}; it is skipped.`, hint);
  return undefined;
}
