/** `hookline test` on the built program: real hooks, real processes, every reporter and every way to fail. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, WITHOUT_PERSON } from '../cli/program.ts';

const GATE = `#!/bin/sh
case "$(cat)" in
  *--force*) echo '{"decision":"deny","reason":"do not force-push"}' ;;
  *crash*) kill -9 $$ ;;
  *write*) echo x > "$HOME/in-home"; echo x > in-project ;;
  *daemon*) setsid sleep 300 > /dev/null 2>&1 & ;;
esac
`;

function project(cases: string, head = ''): Workspace {
  return createWorkspace({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': GATE,
    '.agents/hooks/gate/gate.hooktest.yaml': `${head}cases:\n${cases}`,
  });
}

const aCase = (command: string, expected: string, more = ''): string =>
  `  - name: ${command}\n    event: tool.before\n    tool: Bash\n    input: { command: ${command} }\n${more}    expect: ${expected}\n`;

const json = async (ran: Promise<Ended>) => JSON.parse((await ran).stdout);
const mismatches = (run: { files: { cases: { mismatches: { what: string; got: string }[] }[] }[] }) =>
  run.files.flatMap(({ cases }) => cases.flatMap((one) => one.mismatches.map(({ what, got }) => ({ what, got }))));

const GOOD =
  aCase('git push --force', '{ decision: deny, reason: /force-PUSH/i, clean: true }') +
  aCase('ls', '{ decision: pass, rewrite: null, context: [] }');

test('cases that hold exit with 0, and the coverage shows what was decided', async () => {
  const run = await hookline(project(GOOD), ['test', '--trust-all']);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(run.stdout).toContain('2 cases; decided: pass, deny; never: allow, ask');
  expect(run.stdout).toContain('2 passed, 0 failed');
});

test('a case that does not hold exits with 1, and shows the difference and the trace', async () => {
  const run = await hookline(project(aCase('ls', '{ decision: deny }')), ['test', '--trust-all']);
  expect(run.exit).toBe(1);
  expect(run.stdout).toMatch(/- deny\n\s+\+ pass\n/);
  expect(run.stdout).toMatch(/trace\n.*tool\.before {2}Bash {2}\{"command":"ls"\}/);
  expect(run.stdout).toContain('had no objection');
});

test('every agent can be the caller, and reads the answer as the case expects', async () => {
  const ids = HOSTS.map(({ id }) => id);
  const run = await json(hookline(project(GOOD, `hosts: [${ids.join(', ')}]\n`), ['test', '--trust-all', '--json']));
  expect(mismatches(run)).toEqual([]);
  expect(run).toMatchObject({ passed: ids.length * 2, failed: 0 });
});

test("the answer in an agent's own words is part of the expectation", async () => {
  const answers = (decision: string): string =>
    `{ decision: deny, answers: { claude-code: { exit: 0, stdout: { hookSpecificOutput: { hookEventName: PreToolUse, permissionDecision: ${decision}, permissionDecisionReason: do not force-push } } } } }`;
  const more = '    hosts: [claude-code]\n';
  const right = await hookline(project(aCase('--force', answers('deny'), more)), ['test', '--trust-all']);
  expect(right.stdout).toContain('1 passed, 0 failed');
  const wrong = await json(hookline(project(aCase('--force', answers('ask'), more)), ['test', '--trust-all', '--json']));
  expect(mismatches(wrong)).toMatchObject([{ what: 'stdout for claude-code' }]);
});

test('a hook that fails fails the case, unless the case expects this fault', async () => {
  const unexpected = await json(hookline(project(aCase('crash', '{ decision: pass }')), ['test', '--trust-all', '--json']));
  expect(mismatches(unexpected)).toContainEqual({ what: 'faults', got: 'signal' });
  const expected = await hookline(project(aCase('crash', '{ faults: [signal] }')), ['test', '--trust-all']);
  expect(expected.exit).toBe(0);
});

test('a hook that writes outside or leaves a process is not clean, and the process is ended', async () => {
  const workspace = project(aCase('write', '{ clean: true }') + aCase('daemon', '{ clean: true }'));
  const run = await json(hookline(workspace, ['test', '--trust-all', '--json']));
  const found = mismatches(run);
  expect(found.map(({ what }) => what)).toEqual(['files written', 'processes left']);
  expect(found[0]?.got.split('\n')).toEqual([workspace.at('in-project'), '~/in-home']);
  const [left = ''] = found[1]?.got.split(', ') ?? [];
  expect(existsSync(`/proc/${left}/environ`) && readFileSync(`/proc/${left}/cmdline`, 'utf8')).toBeFalsy();
});

test('a test touches no state of the user, and leaves nothing in the temporary folder', async () => {
  const workspace = project(GOOD);
  await hookline(workspace, ['test', '--trust-all'], { env: { TMPDIR: workspace.at('~/') } });
  expect(readdirSync(workspace.home)).toEqual([]);
});

test('a hook that is not trusted does not run, and its case says how to trust it', async () => {
  const workspace = permitScripts(project(GOOD));
  const before = await hookline(workspace, ['test']);
  expect(before).toMatchObject({ exit: 1 });
  expect(before.stdout).toContain('run `hookline trust add`');
  expect((await hookline(workspace, ['trust', 'add', '--yes'])).exit).toBe(0);
  expect(await hookline(workspace, ['test'])).toMatchObject({ exit: 0 });
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nexit 0\n' });
  const after = await hookline(workspace, ['test']);
  expect(after.exit).toBe(1);
  expect(after.stdout).toContain('modified since it was trusted');
});

test.skipIf(WITHOUT_PERSON)('at a terminal it shows a hook that is not trusted, and asks', async () => {
  const workspace = project(GOOD);
  const no = await hookline(workspace, ['test'], { terminal: true, stdin: 'n\n' });
  expect(no.stdout).toContain('Trust it?');
  expect(no.exit).toBe(1);
  const yes = await hookline(project(GOOD), ['test'], { terminal: true, stdin: 'y\n' });
  expect(yes.stdout).toContain('2 passed, 0 failed');
  expect(yes.exit).toBe(0);
});

test('a broken file of tests is a failure with its place, and the other files still run', async () => {
  const workspace = project(GOOD);
  workspace.write({ '.agents/hooks/gate/broken.hooktest.yaml': 'cases:\n  - event: tool.before\n    expect: { decison: deny }\n' });
  const run = await hookline(workspace, ['test', '--trust-all']);
  expect(run.exit).toBe(1);
  expect(run.stdout).toMatch(/broken\.hooktest\.yaml:3:15/);
  expect(run.stdout).toContain('2 passed, 1 failed');
});

test('no tests are a failure too, and hooks without one are named', async () => {
  const workspace = project(GOOD);
  workspace.remove('.agents/hooks/gate/gate.hooktest.yaml');
  const run = await hookline(workspace, ['test', '--trust-all']);
  expect(run.exit).toBe(1);
  expect(run.stdout).toContain('no test asks it');
  expect(run.stderr).toContain('There are no tests');
});

test.each([
  [['test', 'nowhere'], 'There is nothing at'],
  [['test', '--reporter', 'xml'], 'There is no reporter `xml`'],
])('wrong usage is 64: %s', async (argv, says) => {
  const run = await hookline(createWorkspace(), argv);
  expect(run.exit).toBe(64);
  expect(run.stderr).toContain(says);
});

test('JUnit and TAP have one row per case and agent, and count the failures', async () => {
  const cases = aCase('--force', '{ decision: deny }', '    hosts: [codex, cursor]\n') + aCase('ls', '{ reason: "<&>" }');
  const junit = await hookline(project(cases), ['test', '--trust-all', '--reporter', 'junit']);
  expect(junit.exit).toBe(1);
  expect(junit.stdout).toContain('tests="3" failures="1"');
  expect(junit.stdout).toContain('expected &lt;&amp;&gt;');
  const tap = await hookline(project(cases), ['test', '--trust-all', '--reporter', 'tap']);
  expect(tap.stdout.split('\n').filter((line) => /^(not )?ok/.test(line))).toEqual([
    'ok 1 - --force (as codex)',
    'ok 2 - --force (as cursor)',
    'not ok 3 - ls',
  ]);
});

test('a name keeps its characters in TAP, and a report in XML has none that XML forbids', async () => {
  const named = aCase('ls', '{ decision: pass }').replace(/name: .*/, `name: "a # b \\\\ c \\uFFFE"`);
  const tap = await hookline(project(named), ['test', '--trust-all', '--reporter', 'tap']);
  expect(tap.stdout).toContain('ok 1 - a \\# b \\\\ c \uFFFE\n');
  const junit = await hookline(project(named), ['test', '--trust-all', '--reporter', 'junit']);
  expect(junit.stdout).toContain('name="a # b \\ c \uFFFD"');
});

test('only the hooks next to the file are asked, so a test does not depend on others', async () => {
  const workspace = project(aCase('ls', '{ decision: pass }'));
  workspace.write({
    '.agents/hooks/wall/HOOK.md': '---\nname: wall\ndescription: Denies.\ntrigger: before_tool\n---\n',
    '.agents/hooks/wall/scripts/run.sh': '#!/bin/sh\necho no >&2\nexit 2\n',
  });
  expect(await hookline(workspace, ['test', '--trust-all'])).toMatchObject({ exit: 0 });
  workspace.write({ '.agents/hooks/gate/gate.hooktest.yaml': `hook: "*"\ncases:\n${aCase('ls', '{ decision: pass }')}` });
  expect(await hookline(workspace, ['test', '--trust-all'])).toMatchObject({ exit: 1 });
});
