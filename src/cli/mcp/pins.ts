/** `hookline mcp pins`: shows the pinned tools of guarded servers and what has changed since. Only a person accepts a change. */
import { suggest } from '../../core/values/suggest.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type Definitions, openPins, type PinFile, type Pins } from '../../mcp/proxy/pins.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { userName } from '../input/user-name.ts';
import { jsonDocument } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { renderAccepted, renderPinFile, renderPins, renderTool } from './print-pins.ts';
import { projectOf } from './proxy.ts';

interface PinsTask {
  readonly args: Arguments;
  readonly pins: Pins;
  readonly words: readonly string[];
  readonly json: boolean;
  readonly style: Style;
}

export async function runPins(args: Arguments, [action = 'list', ...words]: readonly string[]): Promise<CommandResult> {
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    const can = `Actions: ${Object.keys(ACTIONS).join(', ')}.`;
    throw usageError(`\`hookline mcp pins\` has no action \`${action}\`.`, near ? `Did you mean \`hookline mcp pins ${near}\`?` : can);
  }
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  return act({ args, pins: openPins(stateFolder), words, json: hasFlag(args, 'json'), style: terminalStyle() });
}

const ACTIONS: Readonly<Record<string, (task: PinsTask) => Promise<CommandResult>>> = { list, show, accept, remove };

async function list({ pins, json, style }: PinsTask): Promise<CommandResult> {
  const files = pins.list();
  return { exit: EXIT.ok, out: json ? jsonDocument({ servers: files.map(document) }) : renderPins(files, style) };
}

async function show(task: PinsTask): Promise<CommandResult> {
  const file = wanted(task);
  return { exit: EXIT.ok, out: task.json ? jsonDocument(document(file)) : renderPinFile(file, task.style) };
}

async function accept(task: PinsTask): Promise<CommandResult> {
  const { args, pins, json, style } = task;
  const file = wanted(task);
  const data = { server: file.server, project: file.root };
  const act = { kind: 'pins.accepted', weight: 'settling', does: 'accept tools of an MCP server', data, root: file.root } as const;
  const permitted = await requirePerson(args, act);
  const open = chosen(file, task.words.slice(1));
  if (file.broken !== undefined)
    throw failure(`The pins of ${file.server} cannot be read: ${file.broken}`, `Remove them with \`hookline mcp pins remove ${file.id}\`.`);
  if (open.size === 0) return { exit: EXIT.ok, out: json ? jsonDocument({ accepted: [] }) : 'No tool of this server waits.\n' };
  const shown = [...open].map(([name, one]) => renderTool(name, one, file.pins?.get(name), style)).join('\n');
  if (!hasFlag(args, 'yes') && (json || !isInteractive())) {
    const message = 'No tool was accepted, because there is no terminal to ask for confirmation.';
    const err = problemText({ message, hint: 'Review the definitions above, then pass `--yes` to accept them all.' });
    return { exit: EXIT.negative, out: json ? jsonDocument({ accepted: [], waiting: [...open.keys()] }) : shown, err };
  }
  const accepted = hasFlag(args, 'yes') ? open : await ask(open, file, style);
  // Nothing is accepted that the log does not show.
  const tools = [...accepted].map(([name, { digest }]) => ({ name, digest }));
  if (accepted.size > 0) await permitted.record(`${plural(accepted.size, 'tool')} of the MCP server ${file.server} accepted.`, { tools });
  if (accepted.size > 0) pins.accept(file, accepted, new Date().toISOString(), userName());
  if (json) return { exit: EXIT.ok, out: jsonDocument({ accepted: [...accepted.keys()] }) };
  return { exit: EXIT.ok, out: `${hasFlag(args, 'yes') ? `${shown}\n` : ''}${renderAccepted(accepted.size, open.size, style)}` };
}

async function remove(task: PinsTask): Promise<CommandResult> {
  const { args, pins, json } = task;
  const file = wanted(task);
  const data = { server: file.server, project: file.root };
  const act = { kind: 'pins.removed', weight: 'settling', does: 'remove the pins of an MCP server', data, root: file.root } as const;
  const permitted = await requirePerson(args, act);
  await permitted.record(`The pins of the MCP server ${file.server} removed.`);
  pins.remove(file);
  const text = `The pins of ${file.server} are removed. The next list that the server sends is pinned as the first one.\n`;
  return { exit: EXIT.ok, out: json ? jsonDocument({ removed: file.id }) : text };
}

async function ask(open: Definitions, file: PinFile, style: Style): Promise<Definitions> {
  const { askForEach } = await import('../input/confirm.ts');
  const { yes } = await askForEach(
    [...open],
    ([name, one]) => `${renderTool(name, one, file.pins?.get(name), style)}${style.bold('  Accept it?')} [y/N] `,
  );
  return new Map(yes);
}

function chosen({ waiting, server }: PinFile, names: readonly string[]): Definitions {
  const unknown = names.find((name) => !waiting.has(name));
  if (unknown !== undefined)
    throw failure(`No tool \`${unknown}\` of ${server} waits.`, `Waiting: ${[...waiting.keys()].join(', ') || 'none'}.`);
  return names.length === 0 ? waiting : new Map([...waiting].filter(([name]) => names.includes(name)));
}

/** Finds a server by its id, the start of it, or its name. A server of this project wins over one with the same name elsewhere. */
function wanted({ args, pins, words: [given] }: PinsTask): PinFile {
  const files = pins.list();
  const root = projectOf(args);
  const fitting =
    given === undefined
      ? files.filter((file) => file.root === root)
      : files.filter(({ id, server }) => id.startsWith(given) || server === given);
  const here = fitting.filter((file) => file.root === root);
  const [found, another] = here.length > 0 ? here : fitting;
  if (found && !another) return found;
  const hint = 'Run `hookline mcp pins list` to see the servers, and name one by its id.';
  if (found) throw failure(given === undefined ? 'This project has several guarded servers.' : `\`${given}\` fits several servers.`, hint);
  throw failure(given === undefined ? 'No server was guarded in this project yet.' : `No guarded server is called \`${given}\`.`, hint);
}

function failure(message: string, hint: string): Error {
  return new CommandError({ exit: EXIT.negative, code: 'not-found', message, hint });
}

function document({ id, root, command, server, pins, waiting, broken }: PinFile): object {
  return {
    ...{ id, server, root, command, broken: broken ?? null },
    tools: Object.fromEntries(pins ?? []),
    waiting: Object.fromEntries(waiting),
  };
}
