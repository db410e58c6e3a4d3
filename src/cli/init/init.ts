/** `hookline init`: from an empty folder to a tested, trusted and installed hook. `--undo` takes every step back. */

import { createHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import type { Host } from '../../core/contracts/host.ts';
import { quotedPath } from '../../core/values/quoted-path.ts';
import { suggest } from '../../core/values/suggest.ts';
import type { Folders } from '../../install/host-files.ts';
import { movedFolders, resolveHome } from '../../load/find/home.ts';
import { type ServeFiles, serveFiles } from '../../server/endpoint.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions, readRoot } from '../engine-options.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { HELP_OPTION, HOME_OPTION } from '../options.ts';
import { write } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { block, harmless, oneLine, plural, shortName } from '../print/text.ts';
import { renderRun } from '../test/print-run.ts';
import { PROTECTIONS, type Protection } from './protections.ts';
import { type InitRecord, NOTHING_DONE, readRecord, recordFile, writeRecord, written } from './record.ts';
import { servingMark } from './serving.ts';
import { agentsHere, installInto, isInstalled, proveAgents, type Step, testHookFile, trustHook, writeHook } from './steps.ts';
import { undo } from './undo.ts';

export { initSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const places = readPlaces(args);
  if (hasFlag(args, 'undo')) return undo(args, places);
  if (readRecord(places.record)) {
    const hint = '`hookline new` writes another hook. `hookline init --undo` takes the first one back.';
    throw new CommandError({ exit: EXIT.negative, code: 'usage', message: 'Hookline was set up here already.', hint });
  }
  const scene: Scene = { args, ...places, style: terminalStyle(), yes: hasFlag(args, 'yes'), steps: [] };
  await survey(scene);
  const protection = await chooseProtection(args, scene);
  return carryOut(scene, protection);
}

export interface InitPlaces {
  readonly root: string;
  readonly folders: Folders;
  /** The file of the record. */
  readonly record: string;
  readonly serve: ServeFiles;
}

interface Scene extends InitPlaces {
  readonly args: Arguments;
  readonly style: Style;
  readonly yes: boolean;
  readonly steps: Step[];
}

function readPlaces(args: Arguments): InitPlaces {
  const root = readRoot(args);
  const { home, stateFolder, variables } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const moved = movedFolders(
    HOSTS.map(({ entry }) => entry),
    variables,
  );
  return { root, folders: { home, root, moved }, record: recordFile(stateFolder, root), serve: serveFiles(stateFolder) };
}

/** Says which agents and hooks there are. Runs nothing. */
async function survey({ args, folders, style }: Scene): Promise<void> {
  const agents = agentsHere(folders).map(({ title }) => title);
  const hookline = await createHookline({ ...engineOptions(args), store: 'memory:' });
  const { hooks } = await hookline.list();
  await hookline.close(0);
  const lines = [
    `Agents on this machine: ${agents.join(', ') || 'none that Hookline knows'}.`,
    `Hooks for this project: ${hooks.length === 0 ? 'none yet' : `${plural(hooks.length, 'hook')} (\`hookline list\` shows them)`}.`,
  ];
  await write(1, `${lines.map((line) => block(line, '', style.columns)).join('\n')}\n\n`);
}

async function chooseProtection(args: Arguments, { yes, style }: Scene): Promise<Protection> {
  const given = optionValue(args, 'protect');
  const ids = PROTECTIONS.map(({ id }) => id);
  const found = PROTECTIONS.find(({ id }) => id === given);
  if (found) return found;
  if (given !== undefined) {
    const near = suggest(given, ids);
    throw usageError(`\`--protect\` cannot be \`${given}\`.`, near ? `Did you mean \`${near}\`?` : `Choose one of ${ids.join(', ')}.`);
  }
  const [first] = PROTECTIONS as readonly [Protection];
  if (yes || !isInteractive()) return first;
  return askProtection(style);
}

/** Asks until the answer is one of the list. Nothing is written for a person who leaves. */
async function askProtection(style: Style): Promise<Protection> {
  const { askLine } = await import('../input/confirm.ts');
  const menu = PROTECTIONS.map(({ title }, index) => `  ${index + 1}  ${title}`).join('\n');
  for (let question = `${style.bold('Protect one thing first:')}\n${menu}\n[1] `; ; ) {
    const answer = (await askLine(question))?.trim();
    if (answer === undefined) {
      const hint = 'Run `hookline init` again, or name the thing with `--protect`.';
      throw new CommandError({ exit: EXIT.negative, code: 'usage', message: 'Nothing was written, because nothing was chosen.', hint });
    }
    const found = PROTECTIONS.find(({ id }, index) => answer === id || answer === String(index + 1) || (answer === '' && index === 0));
    if (found) return found;
    question = `\`${oneLine(answer)}\` is none of these.\n[1] `;
  }
}

async function carryOut(scene: Scene, protection: Protection): Promise<CommandResult> {
  const { args, root, folders, style, yes } = scene;
  let done: InitRecord = { root, ...NOTHING_DONE };
  const remember = (more: Partial<InitRecord>): void => {
    done = { ...done, ...more };
    writeRecord(scene.record, done);
  };
  const made = writeHook(protection, root);
  remember({ files: made.files.map(written), folders: made.folders, neighbours: made.neighbours });
  await tell(scene, { isDone: true, says: `Wrote ${made.files.slice(0, 2).map(shortName).join(' and ')}.` });
  const tests = await testHookFile(made.test, root, optionValue(args, 'home'));
  if (tests.failed > 0) await write(1, renderRun(tests, style));
  await tell(scene, {
    isDone: tests.failed === 0,
    says: `${tests.passed} of ${plural(tests.passed + tests.failed, 'case')} passed.`,
    fix: 'hookline test',
  });
  if (tests.failed > 0) return finish(scene, made.hook);
  const trusted = await trustHook(args, made.hook, yes);
  if (trusted.isSettled) remember({ trusted: made.hook });
  await tell(scene, trusted);
  const asking: Host[] = [];
  const wasServing = servingMark(scene.serve) !== null;
  for (const host of await chosenAgents(scene, trusted.hasLeft)) {
    const isOld = isInstalled(host, folders);
    const step = isOld ? { isDone: true, says: `${host.title} asks Hookline already.` } : await installInto(args, host);
    if (step.isDone && !isOld)
      remember({ installed: [...done.installed, host.id], ...(!wasServing && { serving: servingMark(scene.serve) }) });
    if (step.isDone) asking.push(host);
    await tell(scene, step);
  }
  for (const step of await proveAgents(args, asking, folders)) await tell(scene, step);
  return finish(scene, made.hook);
}

/**
 * The agents to install into. At a terminal a person is asked about each, unless `--yes` is given.
 * @param hasLeft the person left at an earlier question, so there are no further ones
 */
async function chosenAgents(scene: Scene, hasLeft: boolean): Promise<readonly Host[]> {
  const agents = agentsHere(scene.folders);
  if (agents.length === 0) {
    const known = HOSTS.map(({ id }) => id).join(', ');
    await tell(scene, {
      isDone: false,
      says: `There is no agent to install into. A host is one of ${known}.`,
      fix: 'hookline install <host>',
    });
    return [];
  }
  if (scene.yes || !isInteractive()) return agents;
  const { askForEach } = await import('../input/confirm.ts');
  const asked = hasLeft ? [] : agents;
  const { yes } = await askForEach(asked, ({ title }) => `Let ${title} ask Hookline before it acts? [y/N] `);
  for (const { title, id } of agents.filter((host) => !yes.includes(host)))
    await tell(scene, { isDone: false, says: `${title} does not ask Hookline.`, fix: `hookline install ${id}` });
  return yes;
}

async function tell({ style, steps }: Scene, step: Step): Promise<void> {
  steps.push(step);
  const sign = step.isDone ? style.green('✓') : style.yellow('–');
  await write(1, `${sign} ${block(harmless(step.says), '  ', style.columns).trimStart()}\n`);
}

function finish({ steps, style }: Scene, hook: string): CommandResult {
  const left = steps.filter(({ isDone }) => !isDone);
  const remain = left.map(({ fix }) => `  ${fix}`).join('\n');
  const next = [
    left.length === 0 ? '' : `${style.bold('These steps remain, in your own terminal:')}\n${remain}\n\n`,
    `${style.cyan('next:')} change ${quotedPath(shortName(hook))}, then run \`hookline test --watch\`. \`hookline init --undo\` takes all of this back.\n`,
  ];
  return { exit: left.length === 0 ? EXIT.ok : EXIT.negative, out: `\n${next.join('')}` };
}

/** The specification of `hookline init`. */
export const initSpec: CommandSpec = {
  name: 'init',
  summary:
    'Set up the first hook: write it with its test, run the test, trust it, install Hookline into your agents, and prove that it works.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [
    {
      name: 'protect',
      value: 'WHAT',
      help: `The thing that the hook protects: ${PROTECTIONS.map(({ id }) => id).join(', ')}. Default: it asks, or commands.`,
    },
    { name: 'yes', help: 'Ask nothing: trust the hook and install into every agent on this machine.' },
    { name: 'no-serve', help: 'Do not let the first event start `hookline serve` in the background.' },
    { name: 'undo', help: 'Take back everything that `init` did here.' },
    { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
    HOME_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Trust needs a person at a terminal. Without one the command does the other steps, says which remain, and exits with 1.',
    'Nothing that exists is overwritten. `--undo` removes the files that are still as they were written, the trust, and the entries in agents that `init` added. It switches on-demand serving off if `init` had switched it on. It keeps and names files that you have changed, with those that belong to them.',
  ],
  examples: [
    { does: 'Choose what to protect', line: 'hookline init' },
    { does: 'Without questions', line: 'hookline init --yes --protect secrets' },
    { does: 'Take it back', line: 'hookline init --undo' },
  ],
};
