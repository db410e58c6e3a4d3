/** In a terminal of any usual width no command divides a word or an id, and no line is left for the terminal to divide. */
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/api/clock.ts';
import { DIALECTS, HOSTS } from '../../../src/builtins.ts';
import { SPECS } from '../../../src/cli/commands.ts';
import { page } from '../../../src/cli/help.ts';
import { createStyle } from '../../../src/cli/print/style.ts';
import { fit, widthOf } from '../../../src/cli/print/text.ts';
import { definitionOf, openPins, pinnedServer } from '../../../src/mcp/proxy/pins.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const WIDTHS = [60, 80, 200];
const NAME = 'gate-that-keeps-every-deployment-away';
const SESSION = '0a7f63c2-98aa-4c11-b1a1-5fd7e0c9d1aa';
const REASON = 'nothing is deleted here, and this reason goes on and on until it does not fit into any line of a usual terminal';
const SCRIPT = `#!/bin/sh
case "$(cat)" in
  *deploy*) echo '{"decision":"ask","reason":"deployments need a second pair of eyes"}' ;;
  *rm*) echo '{"decision":"deny","reason":"${REASON}"}' ;;
  *change*) echo '{"decision":"allow","modified_input":{"command":"ls -l"}}' ;;
esac
`;

/** Long names, a fault, a rewrite, a denial, a ticket, and a file with mistakes. */
async function createSamples(): Promise<Workspace> {
  const workspace = createWorkspace({
    [`.agents/hooks/${NAME}/HOOK.md`]: `---\nname: ${NAME}\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n`,
    [`.agents/hooks/${NAME}/scripts/run.sh`]: SCRIPT,
    '.claude/settings.json': JSON.stringify({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'grep -q crash && exit 7; exit 0' }] }], Nonsense: [] },
    }),
  });
  workspace.write({
    [`.agents/hooks/${NAME}.hooktest.yaml`]: `cases:
  - { name: ${'word '.repeat(40)}, event: tool.before, tool: Bash, input: { command: rm -r x }, expect: { decision: pass, reason: ${NAME} } }
`,
  });
  permitScripts(workspace);
  const tools = new Map([[NAME, definitionOf({ name: NAME, description: 'word '.repeat(40) }, sha256)]]);
  openPins(workspace.at('~/.local/state')).first(pinnedServer(workspace.root, ['server'], NAME, sha256), tools, '2026-01-01T00:00:00.000Z');
  for (const command of ['ls', `rm -rf build && echo ${'word '.repeat(40)}`, 'deploy now', 'crash', 'change it'])
    await hookline(workspace, fire(command));
  return workspace;
}

function fire(command: string): string[] {
  return ['fire', 'tool.before', '--tool', 'Bash', '--input', JSON.stringify({ command }), '--trust-all', '--session', SESSION];
}

async function idsOf(workspace: Workspace): Promise<{ readonly entries: readonly string[]; readonly ticket: string }> {
  const { entries } = JSON.parse((await hookline(workspace, ['log', '--json'])).stdout);
  const ticket = entries.find((entry: { ticket: string | null }) => entry.ticket !== null).ticket;
  return { entries: entries.map(({ id }: { id: string }) => id), ticket };
}

/** What every command prints. The words that must come out whole are in the second place. */
function samples(ids: { readonly entries: readonly string[]; readonly ticket: string }): (readonly [string[], readonly string[]])[] {
  return [
    [fire('rm -r x'), [NAME]],
    [['plan', 'tool.before', '--tool', 'Bash', '--trust-all'], [NAME]],
    [['list'], [NAME, `.agents/hooks/${NAME}/HOOK.md:2`]],
    [['check'], []],
    [['audit'], [NAME]],
    [['trust', 'list'], [NAME]],
    [['schema'], []],
    [['init', '--undo'], []],
    [['new', 'no-such-format', NAME], DIALECTS.flatMap(({ id, scaffold }) => (scaffold ? [id] : []))],
    [['test', '--trust-all'], [NAME]],
    [['test', 'no-such-folder'], []],
    [['trust', 'add'], [NAME]],
    [['guard', 'explain', `sudo bash -c 'rm -rf / ${'word '.repeat(30)}'`], []],
    [['guard', 'rules'], []],
    [['approvals', '--all'], [ids.ticket]],
    [
      ['approvals', 'show', ids.ticket],
      [ids.ticket, NAME],
    ],
    [['approvals', 'grants'], []],
    [['log'], [...ids.entries, NAME, SESSION]],
    [['log', 'verify'], []],
    [
      ['why', ...ids.entries.slice(1, 2)],
      [NAME, SESSION, ...ids.entries.slice(1, 2)],
    ],
    [['why', 'no-such-decision'], []],
    [['stats'], [NAME]],
    [['top', '--once'], []],
    [['ui', '--idle', '1s'], ['http://127.0.0.1:']],
    [['report', '--html', '--out', 'no-such-folder/report.html'], []],
    [['report', 'no-such-session', '--html'], []],
    [['install', 'no-such-agent'], HOSTS.map(({ id }) => id)],
    [['install'], HOSTS.map(({ id }) => id)],
    [['doctor'], []],
    [['reload'], []],
    [['pause', 'status'], []],
    [['serve', 'status'], []],
    [['mcp', 'pins'], [NAME]],
    [['mcp', 'pins', 'show'], [NAME]],
    [['no-such-command'], []],
    [['help'], SPECS.map(({ name }) => name)],
  ];
}

test('every command, at several widths', async () => {
  const workspace = await createSamples();
  const list = samples(await idsOf(workspace));
  const others = SPECS.filter(({ name }) => !list.some(([[command]]) => command === name)).map(({ name }) => name);
  // The text of a model arrives in pieces, so only the terminal can wrap it.
  expect(others).toEqual(['hook', 'uninstall', 'agent']);
  for (const [argv, whole] of list) {
    const shown = await Promise.all(WIDTHS.map((width) => hookline(workspace, argv, { env: { COLUMNS: `${width}` } })));
    for (const [i, { stdout, stderr }] of shown.entries()) {
      const at = `${argv.join(' ')} at ${WIDTHS[i]}`;
      for (const word of whole) expect(`${stdout}${stderr}`, at).toContain(word);
      expect(tooLong(`${stdout}\n${stderr}`, WIDTHS[i] as number), at).toEqual([]);
    }
  }
});

/** Only a single word may be longer than the line. */
function tooLong(text: string, width: number): string[] {
  return text.split('\n').filter((line) => widthOf(line) > width && line.trim().includes(' '));
}

test.each(SPECS.map((spec) => [spec.name, spec] as const))('the help page of %s, at several widths', (_, spec) => {
  for (const columns of WIDTHS) {
    const text = fit(page(spec, createStyle({ colour: false, columns })), columns);
    expect(tooLong(text, columns)).toEqual([]);
    for (const { name } of spec.options) expect(text).toContain(`--${name}`);
  }
});

test('what programs read is never wrapped', async () => {
  const workspace = await createSamples();
  const env = { COLUMNS: '40' };
  const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm -rf /' }, session_id: SESSION };
  const asked = async (argv: string[], more: object = {}) => hookline(workspace, argv, { stdin: JSON.stringify(payload), ...more });
  for (const argv of [['guard'], ['hook', 'claude-code', 'PreToolUse', '--trust-all'], ['trust', 'lock', '--yes'], ['audit', '--sarif']]) {
    const ended = await asked(argv, { env });
    const plain = await asked(argv);
    expect(ended.stdout.split('\n').length, argv.join(' ')).toBe(plain.stdout.split('\n').length);
    if (argv[0] !== 'trust') expect(ended.stderr, argv.join(' ')).toBe(plain.stderr);
  }
});

test('in a pipe a line stays whole', async () => {
  const { stdout } = await hookline(await createSamples(), ['list']);
  expect(stdout).toContain(`Protection not active: hook \`${NAME}\` is not trusted yet, so it does not run.`);
});
