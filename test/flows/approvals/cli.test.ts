/** The whole of it from the command line, each step a process of its own, with the store that is there by default. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogEntry } from '../../../src/core/record/decision-record.ts';
import { until } from '../../support/patience.ts';
import { createWorkspace, permitScripts } from '../../support/workspace.ts';
import { type Ended, hookline } from '../cli/program.ts';

const HOOK =
  '---\nname: ask-first\ndescription: Deployments are approved by a person.\ntrigger: before_tool\nmatcher:\n  tool: Deploy\n---\n';
const ANSWER = `echo '{"decision": "ask", "reason": "Deployments are approved by a person."}'\n`;

interface Terminal {
  run(...argv: string[]): Promise<Ended>;
  // biome-ignore lint/suspicious/noExplicitAny: documents of several commands; the tests say what is in them.
  json(...argv: string[]): Promise<any>;
  fire(environment?: string, ...more: string[]): Promise<Ended>;
  /** Fires what is held, and answers its ticket. */
  hold(environment?: string): Promise<string>;
  /** How many times the hook has run. */
  calls(): number;
  readonly database: string;
}

function openTerminal(): Terminal {
  const workspace = permitScripts(createWorkspace({ '.agents/hooks/ask-first/HOOK.md': HOOK }));
  const file = workspace.at('~/calls');
  workspace.write({ '.agents/hooks/ask-first/scripts/run.sh': `#!/bin/sh\necho >> '${file}'\n${ANSWER}` });
  // The user's own state folder must not be the one of the tests.
  const env = { XDG_STATE_HOME: workspace.at('~/.local/state'), XDG_CONFIG_HOME: workspace.at('~/.config') };
  const run = (...argv: string[]): Promise<Ended> => hookline(workspace, argv, { env });
  const fire = (environment = 'production', ...more: string[]): Promise<Ended> =>
    run('fire', 'tool.before', '--tool', 'Deploy', '--input', JSON.stringify({ environment }), '--trust-all', ...more);
  return {
    run,
    fire,
    json: async (...argv) => JSON.parse((await run(...argv, '--json')).stdout),
    hold: async (environment) => JSON.parse((await fire(environment, '--json')).stdout).ticket.id,
    calls: () => (existsSync(file) ? readFileSync(file, 'utf8').length : 0),
    database: workspace.at('~/.local/state/hookline/hookline.db'),
  };
}

describe('a held action', () => {
  test('approved from another process passes exactly once, and the log tells it truly', async () => {
    const { fire, hold, json, run, database } = openTerminal();
    const ticket = await hold();
    expect(existsSync(database)).toBe(true);
    expect((await fire()).exit).toBe(3);
    expect((await json('approvals')).tickets).toMatchObject([
      {
        id: ticket,
        state: 'open',
        tool: 'Deploy',
        reason: 'Deployments are approved by a person.',
        action: { event: { data: { input: { environment: 'production' } } } },
      },
    ]);
    expect((await run('approvals', 'approve', ticket, '--by', 'ann', '--note', 'go ahead')).exit).toBe(0);
    const passed = await fire('production', '--json');
    expect(passed.exit).toBe(0);
    const outcome = JSON.parse(passed.stdout);
    expect(outcome).toMatchObject({ decision: 'allow', approval: { ticket, state: 'approved', by: 'ann', note: 'go ahead' } });
    const again = await fire('production', '--json');
    expect(again.exit).toBe(3);
    expect(JSON.parse(again.stdout).ticket.id).not.toBe(ticket);

    const { entries } = await json('log');
    const second = JSON.parse(again.stdout).ticket.id;
    expect(entries.map((entry: LogEntry) => [entry.kind, entry.decision, entry.ticket])).toEqual([
      ['ticket.opened', 'allow', ticket],
      ['tool.before', 'hold', ticket],
      ['tool.before', 'hold', ticket],
      ['ticket.approved', 'allow', ticket],
      ['ticket.released', 'allow', ticket],
      ['tool.before', 'allow', ticket],
      ['ticket.opened', 'allow', second],
      ['tool.before', 'hold', second],
    ]);
    expect((await json('why', outcome.id)).story.join(' ')).toMatch(/ann.*go ahead/s);
    expect(await json('log', 'verify')).toMatchObject({ ok: true, entries: 8 });
    expect(await json('approvals', 'show', ticket)).toMatchObject({
      state: 'approved',
      by: 'ann',
      via: 'cli',
      releasedAt: expect.any(Number),
    });
  });

  test('an approval is for what was shown and nothing else', async () => {
    const { fire, hold, run } = openTerminal();
    await run('approvals', 'approve', await hold());
    expect((await fire('staging')).exit).toBe(3);
    expect((await fire('production', '--cwd', '/')).exit).toBe(3);
    expect((await fire('production', '--session', 'another')).exit).toBe(0);
  });

  test('of several identical ones fired at once after an approval one passes', async () => {
    const { fire, hold, run } = openTerminal();
    await run('approvals', 'approve', await hold());
    const ended = await Promise.all(Array.from({ length: 4 }, () => fire()));
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 3, 3, 3]);
  });

  test('approved with another input runs that', async () => {
    const { fire, hold, run } = openTerminal();
    await run('approvals', 'approve', await hold(), '--input', '{"environment":"staging"}');
    const { exit, stdout } = await fire('production', '--json');
    expect([exit, JSON.parse(stdout).rewrite]).toEqual([0, { environment: 'staging' }]);
  });
});

describe('who waits', () => {
  test('goes ahead as soon as another process approves', async () => {
    const { fire, json, run } = openTerminal();
    const waiting = fire('production', '--wait', '600', '--json');
    const ticket = await openTicket(json);
    await run('approvals', 'approve', ticket, '--by', 'ann');
    const { exit, stdout } = await waiting;
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'allow', approval: { ticket, by: 'ann' } });
    expect((await fire()).exit).toBe(3);
  });

  test('is denied with who and why as soon as another process denies', async () => {
    const { fire, json, run } = openTerminal();
    const waiting = fire('production', '--wait', '600', '--json');
    await run('approvals', 'deny', await openTicket(json), '--by', 'bob', '--note', 'not on a Friday');
    const { exit, stdout, stderr } = await waiting;
    expect(exit).toBe(2);
    expect(stderr).toContain('Denied by bob: not on a Friday');
    const outcome = JSON.parse(stdout);
    expect(outcome).toMatchObject({ decision: 'deny', approval: { state: 'denied', by: 'bob' } });
    expect((await json('log', '--decision', 'deny')).entries).toMatchObject([
      { kind: 'ticket.denied', data: { by: 'bob', note: 'not on a Friday' } },
      { id: outcome.id, reason: 'Denied by bob: not on a Friday' },
    ]);
    expect((await json('why', outcome.id)).story.join(' ')).toMatch(/bob.*not on a Friday/s);
  });

  test('for nothing is told that it is still held', async () => {
    const { fire, json } = openTerminal();
    expect((await fire('production', '--wait', '0.2')).exit).toBe(3);
    expect((await json('approvals')).tickets).toMatchObject([{ state: 'open' }]);
  });

  test('beside another for the same action: one goes ahead, the other does not', async () => {
    const { fire, json, run, calls } = openTerminal();
    const waiting = [fire('production', '--wait', '600'), fire('production', '--wait', '600')];
    const ticket = await openTicket(json);
    // Neither is on record while it waits, but each has run the hook that holds it.
    await until(() => calls() === 2);
    await run('approvals', 'approve', ticket);
    const exits = (await Promise.all(waiting)).map(({ exit }) => exit ?? -1).sort();
    expect(exits[0]).toBe(0);
    expect([2, 3]).toContain(exits[1]);
  });
});

test('a denied action is denied again for whoever tries it again, and opens no new ticket', async () => {
  const { fire, hold, json, run } = openTerminal();
  const ticket = await hold();
  expect((await run('approvals', 'deny', ticket, '--note', 'no')).exit).toBe(0);
  const again = await fire('production', '--json');
  expect(again.exit).toBe(2);
  expect(JSON.parse(again.stdout)).toMatchObject({ decision: 'deny', reason: expect.stringMatching(/: no$/), approval: { ticket } });
  expect((await json('approvals')).tickets).toEqual([]);
  expect((await json('approvals', 'list', '--state', 'denied')).tickets).toMatchObject([{ id: ticket, note: 'no' }]);
});

async function openTicket(json: Terminal['json']): Promise<string> {
  for (;;) {
    const [ticket] = (await json('approvals')).tickets;
    if (ticket) return ticket.id;
  }
}

describe('an action that a hook suspended with a state', () => {
  const SKILL = (url: string): string =>
    `---\nname: gate\ndescription: d\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: http\n          url: ${url}\n---\n`;

  test('shows the state to the person, in text, in JSON and in the notice, without its secrets in the text', async () => {
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ decision: 'pending', state: { change: 'CR-17', password: 'hunter2' } })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const workspace = createWorkspace();
    const { port } = server.address() as AddressInfo;
    const told = workspace.at('~/told.json');
    workspace.write({
      'skills/gate/SKILL.md': SKILL(`http://127.0.0.1:${port}/`),
      '~/.config/hookline/settings.json': JSON.stringify({ notify: [{ type: 'command', command: `cat > '${told}'` }] }),
    });
    const env = { XDG_STATE_HOME: workspace.at('~/.local/state'), XDG_CONFIG_HOME: workspace.at('~/.config') };
    const fired = await hookline(workspace, ['fire', 'tool.before', '--tool', 'Bash', '--input', '{}', '--trust-all', '--json'], { env });
    const outcome = JSON.parse(fired.stdout);
    expect(outcome.hooks[0].state).toEqual({ change: 'CR-17', password: 'hunter2' });
    const shown = await hookline(workspace, ['approvals', 'show', outcome.ticket.id], { env });
    expect(shown.stdout).toContain('CR-17');
    expect(shown.stdout).not.toContain('hunter2');
    const json = await hookline(workspace, ['approvals', 'show', outcome.ticket.id, '--json'], { env });
    expect(JSON.parse(json.stdout).action.heldBy[0].state).toMatchObject({ change: 'CR-17' });
    await until(() => existsSync(told) && readFileSync(told, 'utf8').includes('CR-17'));
    expect(JSON.parse(readFileSync(told, 'utf8')).ticket.pending[0].state).toEqual({ change: 'CR-17', password: '[redacted]' });
    expect((await hookline(workspace, ['why', outcome.id], { env })).stdout).toContain('CR-17');
  });
});
