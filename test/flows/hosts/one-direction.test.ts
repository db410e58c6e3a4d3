/** All events of a call are judged before one is recorded, and recorded before the host is answered; the log has the last word. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Wire } from '../../../src/core/contracts/dialect.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { createHostAnswerer, type FiringEngine } from '../../../src/engine/answer-host.ts';
import { answererFor, createWorkspace, insideOf } from '../../support/workspace.ts';

const CALL = { session_id: 's1', cwd: '/tmp', turn_id: 't1', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'ls' } };
const PRE_TOOL = JSON.stringify({ ...CALL, hook_event_name: 'PreToolUse' });
const codex = HOSTS.find(({ id }) => id === 'codex') as Host;
/** One call that stands for two events. */
const both: Host = { ...codex, eventsOf: () => ['PreToolUse', 'PermissionRequest'] };

async function recording() {
  const workspace = createWorkspace();
  const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
  return { workspace, hookline, engine: insideOf(hookline).engine };
}

/** The engine, with a list of what is asked of it. */
function watched(engine: FiringEngine): { readonly engine: FiringEngine; readonly steps: string[] } {
  const steps: string[] = [];
  return {
    steps,
    engine: {
      diagnostics: [],
      receive(dialect, name, payload) {
        steps.push(`receive ${name}`);
        return engine.receive(dialect, name, payload);
      },
      async judge(event, options) {
        const outcome = await engine.judge(event, options);
        steps.push(`judge ${event.kind}`);
        return outcome;
      },
      async record(event, outcome) {
        const recorded = await engine.record(event, outcome);
        steps.push(`record ${event.kind}`);
        return recorded;
      },
    },
  };
}

test('a call that stands for two events: both are received once, judged, and then recorded, one entry each', async () => {
  const { hookline, engine } = await recording();
  hookline.on('tool.before', () => ({ notice: 'seen' }));
  hookline.on('permission.request', () => ({ decision: 'deny', reason: 'not permitted' }));
  const { engine: seen, steps } = watched(engine);
  expect(await createHostAnswerer(seen, { hosts: [both] })('codex', PRE_TOOL)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('not permitted'),
  });
  expect(steps).toEqual([
    ...['receive PreToolUse', 'receive PermissionRequest'],
    ...['judge tool.before', 'judge permission.request'],
    ...['record tool.before', 'record permission.request'],
  ]);
  const entries = await hookline.log.list();
  expect(entries.map(({ kind, decision }) => [kind, decision])).toEqual([
    ['tool.before', 'pass'],
    ['permission.request', 'deny'],
  ]);
});

test('the second event is judged as the first one left it', async () => {
  const { hookline, engine } = await recording();
  const shown: unknown[] = [];
  hookline.on('tool.before', () => ({ rewrite: { command: 'pwd' } }));
  hookline.on('permission.request', ({ data }) => void shown.push(data.input));
  await createHostAnswerer(engine, { hosts: [both] })('codex', PRE_TOOL);
  expect(shown).toEqual([{ command: 'pwd' }]);
  expect((await hookline.log.list()).map(({ data }) => data['input'])).toEqual([{ command: 'ls' }, { command: 'pwd' }]);
});

test('an effect that the format cannot express is recorded with the event that is answered', async () => {
  const { hookline, engine } = await recording();
  hookline.on('tool.before', () => ({ context: 'Mind the gap.' }));
  hookline.on('permission.request', () => ({ notice: 'Formatted 3 files.' }));
  const { dialect } = both;
  const wire: Wire = {
    ...dialect.wire,
    encodeReply: (verdict, ...rest) =>
      verdict.effects.some(({ kind }) => kind === 'notice') ? undefined : dialect.wire.encodeReply(verdict, ...rest),
  };
  const mute: Host = { ...both, dialect: { ...dialect, wire } };
  const { stdout, stderr } = await createHostAnswerer(engine, { hosts: [mute] })('codex', PRE_TOOL);
  expect({ stdout: stdout.includes('Mind the gap.'), stderr: stderr.includes('Formatted 3 files.') }).toEqual({
    stdout: true,
    stderr: true,
  });
  const entries = await hookline.log.list();
  const missing = entries.map(({ kind, outcome }) => [
    kind,
    JSON.stringify(outcome).includes('in addition to its answer: Formatted 3 files.'),
  ]);
  expect(missing).toEqual([
    ['tool.before', true],
    ['permission.request', false],
  ]);
});

/** A log that cannot be written: a file is in the place of its folder. */
async function broken(onFailure: 'keep' | 'deny') {
  const workspace = createWorkspace({ '~/folder': '' });
  return workspace.open({ store: `sqlite:${workspace.at('~/folder/log.db')}`, log: { record: 'all', onFailure } });
}

test('what could not be recorded is denied where the policy says so, although it was encoded as consent', async () => {
  const hookline = await broken('deny');
  hookline.on('tool.before', () => ({ decision: 'allow', reason: 'fine' }));
  const { exit, stdout, stderr } = await answererFor(hookline)('codex', PRE_TOOL);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain('could not be written to the log');
});

test('a silent event is denied likewise', async () => {
  const { exit, stderr } = await answererFor(await broken('deny'))('codex', PRE_TOOL);
  expect({ exit, isSaid: stderr.includes('could not be written to the log') }).toEqual({ exit: 2, isSaid: true });
});

test('where the decision stands, the answer is the same and people are told', async () => {
  const { exit, stdout, stderr } = await answererFor(await broken('keep'))('codex', PRE_TOOL);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: '{}' });
  expect(stderr).toContain('could not be written to the log');
});

test('where such an event cannot be denied, the failure is said and nothing is held up', async () => {
  const { exit, stderr } = await answererFor(await broken('deny'))(
    'codex',
    JSON.stringify({ ...CALL, hook_event_name: 'SessionEnd', reason: 'other' }),
  );
  expect({ exit, isSaid: stderr.includes('could not be written to the log') }).toEqual({ exit: 0, isSaid: true });
});
