/** `hookline reload`: has the running server read the hooks of a project again, and tells which of them run. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createHookline } from '../../api/create-hookline.ts';
import type { ReloadReport } from '../../api/reload-tool.ts';
import { isObject } from '../../core/values/json.ts';
import { resolveHome } from '../../load/find/home.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { askServer, HEALTH } from '../../server/client.ts';
import { readEndpoint, serveFiles } from '../../server/endpoint.ts';
import { requestReload } from '../../server/reload-requests.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions, readRoot } from '../engine-options.ts';
import { HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { block, oneLine, placeText } from '../print/text.ts';

export { reloadSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const { said, ...report } = await reloadProject(args);
  const exit = report.ok ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(report) };
  return { exit, out: render(report, said) };
}

export interface Reloading extends ReloadReport {
  /** Whether the report is that of a running server. */
  readonly server: boolean;
  /** Where the hooks were read. */
  readonly said: string;
}

/** Has the running server read the hooks again. Without one, or if it does not answer, they are read here. */
export async function reloadProject(args: Arguments): Promise<Reloading> {
  const { report, said } = await askRunning(args);
  return { server: report !== undefined, ...(report ?? (await reloadHere(args))), said };
}

interface Asked {
  /** The report of the server, if it has hooks of this project. */
  readonly report?: ReloadReport;
  /** Where the hooks were read. */
  readonly said: string;
}

async function askRunning(args: Arguments): Promise<Asked> {
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const files = serveFiles(stateFolder);
  const endpoint = readEndpoint(files);
  if (!endpoint || !(await askServer(endpoint, HEALTH)))
    return { said: 'No server is running, so every event reads the hook files itself. Nothing has to be reloaded.' };
  const answer = await requestReload(files, rootOf(args), randomUUID(), ANSWER_MS);
  if (isReport(answer)) return { report: answer, said: `The server (process ${endpoint.pid}) has read the hook files again.` };
  if (isObject(answer) && answer['open'] === false)
    return { said: 'The server has no hooks of this project in memory. It reads them at the next event.' };
  const why = isObject(answer) && typeof answer['failed'] === 'string' ? `: ${answer['failed']}` : ' in time';
  return { said: `The server (process ${endpoint.pid}) did not answer${why}. This command has read the files itself.` };
}

/** The project as an agent's event would find it from here. */
function rootOf(args: Arguments): string {
  const folder = realpathSync.native(readRoot(args));
  const { home } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  return optionValue(args, 'root') === undefined ? projectRoot(folder, {}, [], home) : folder;
}

/** How long the server may take to read the files of a large project. */
const ANSWER_MS = 20_000;

async function reloadHere(args: Arguments): Promise<ReloadReport> {
  const hookline = await createHookline(engineOptions(args, rootOf(args)));
  const report = await hookline.reloadTool.execute();
  await hookline.close();
  return report;
}

function isReport(answer: unknown): answer is ReloadReport {
  return isObject(answer) && typeof answer['ok'] === 'boolean' && Array.isArray(answer['inactive']) && Array.isArray(answer['diagnostics']);
}

function render({ active, inactive, kept, diagnostics }: ReloadReport, said: string): string {
  const style = terminalStyle();
  const off = inactive.map(({ name, file, state, fix }) => {
    const line = `${style.yellow('not active')}  ${oneLine(name)}: ${oneLine(state)}. ${fix}`.trimEnd();
    return `${line}\n            ${style.dim(placeText({ file }))}`;
  });
  const broken = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(
      ({ file, line, message }) =>
        `${style.red('broken')}      ${file === undefined ? '' : `${placeText({ file, line })}: `}${oneLine(message)}`,
    );
  const old = kept.map(
    (file) => `${style.yellow('last good')}   ${placeText({ file })}: its hooks run as they were before the file was broken.`,
  );
  const total = style.bold(`${active} ${active === 1 ? 'hook is' : 'hooks are'} active.`);
  return `${[block(said, '', style.columns), total, ...off, ...broken, ...old].join('\n')}\n`;
}

/** The specification of `hookline reload`. */
export const reloadSpec: CommandSpec = {
  name: 'reload',
  summary: 'Have the running server read the hooks of a project again, and tell which of them run.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [...LOAD_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'The server watches the files itself, so this is for the moment at which you want to know the result. A hook whose file is broken keeps its last good version in a server that had one.',
    'Exit code 1: a hook is broken, not trusted or refused by the audit. Hooks that their own file disables do not count.',
  ],
  examples: [
    { does: 'After a change of a hook', line: 'hookline reload' },
    { does: 'For a machine', line: 'hookline reload --json' },
  ],
};
