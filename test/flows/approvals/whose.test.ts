/**
 * Two people and two machines on one store, with the same project at the same path and the same hooks: each has tickets of their own, and an
 * approval for one never releases the action of the other. Each step is a process of its own.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline } from '../cli/program.ts';
import { testDatabase } from '../postgres/server.ts';

const HOOK =
  '---\nname: ask-first\ndescription: Deployments are approved by a person.\ntrigger: before_tool\nmatcher:\n  tool: Deploy\n---\n';
const ANSWER = `#!/bin/sh\necho '{"decision": "ask", "reason": "Deployments are approved by a person."}'\n`;
const PROJECT = { '.agents/hooks/ask-first/HOOK.md': HOOK, '.agents/hooks/ask-first/scripts/run.sh': ANSWER };

interface Person {
  run(...argv: string[]): Promise<Ended>;
  /** Takes the action. Returns the outcome. */
  // biome-ignore lint/suspicious/noExplicitAny: a document; the tests say what is in it.
  take(environment?: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: documents of several commands; the tests say what is in them.
  json(...argv: string[]): Promise<any>;
  readonly home: string;
}

/** A person with a home, and so a machine, of their own. */
function person(workspace: Workspace, store: string, name: string, uid?: number): Person {
  const home = path.join(workspace.home, name);
  // Scripts may settle here: these tests are about whose approval it is.
  const settings = path.join(home, '.config/hookline');
  mkdirSync(settings, { recursive: true });
  writeFileSync(path.join(settings, 'settings.json'), JSON.stringify({ approvals: { unattended: true } }));
  if (uid !== undefined) for (const made of ['', '.config', '.config/hookline']) chownSync(path.join(home, made), uid, uid);
  const env = { XDG_STATE_HOME: path.join(home, '.local/state'), XDG_CONFIG_HOME: path.join(home, '.config') };
  const run = (...argv: string[]): Promise<Ended> =>
    hookline({ ...workspace, home }, [...argv, '--store', store], { env, ...(uid !== undefined && { uid }) });
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout);
  const take = (environment = 'production') =>
    json('fire', 'tool.before', '--tool', 'Deploy', '--input', JSON.stringify({ environment }), '--trust-all');
  return { run, json, take, home };
}

async function postgres(): Promise<string> {
  const { url, drop } = await testDatabase();
  onTestFinished(drop);
  return url;
}

async function expectApart(ann: Person, bob: Person): Promise<void> {
  const [first, second] = [await ann.take(), await bob.take()];
  expect([first.decision, second.decision]).toEqual(['hold', 'hold']);
  expect(second.ticket.id).not.toBe(first.ticket.id);
  expect((await ann.run('approvals', 'approve', first.ticket.id)).exit).toBe(0);
  expect(await bob.take()).toMatchObject({ decision: 'hold', ticket: { id: second.ticket.id } });
  expect(await ann.take()).toMatchObject({ decision: 'allow', approval: { ticket: first.ticket.id } });
  expect((await ann.run('approvals', 'deny', second.ticket.id, '--note', 'not you')).exit).toBe(0);
  expect(await bob.take()).toMatchObject({ decision: 'deny', approval: { ticket: second.ticket.id } });
  expect(await ann.take()).toMatchObject({ decision: 'hold' });
}

describe('on one Postgres', () => {
  test('two machines of one account have a ticket each, and neither uses the approval of the other', async () => {
    const workspace = createWorkspace(PROJECT);
    const store = await postgres();
    await expectApart(person(workspace, store, 'one'), person(workspace, store, 'two'));
  });

  // Only root can start processes of two users.
  test.runIf(process.getuid?.() === 0)('two users have a ticket each, and the log names both', async () => {
    const workspace = createWorkspace(PROJECT);
    for (const folder of [path.dirname(workspace.root), workspace.root, workspace.home]) chmodSync(folder, 0o755);
    const store = await postgres();
    const [ann, bob] = [person(workspace, store, 'ann', 54_321), person(workspace, store, 'bob', 54_322)];
    await expectApart(ann, bob);
    const { entries } = await ann.json('log');
    const users = entries
      .filter(({ kind }: { kind: string }) => kind === 'tool.before')
      .map(({ who }: { who: { userId: string } }) => who.userId);
    expect(new Set(users)).toEqual(new Set(['54321', '54322']));
  });

  test('an approval for anyone is used by the first who takes the action, which all are told', async () => {
    const workspace = createWorkspace(PROJECT);
    const store = await postgres();
    const [ann, bob] = [person(workspace, store, 'one'), person(workspace, store, 'two')];
    const { ticket } = await ann.take();
    const approved = await ann.run('approvals', 'approve', ticket.id, '--anyone');
    expect([approved.exit, approved.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining('for everyone who works on this store'),
    ]);
    expect((await ann.run('approvals', 'show', ticket.id)).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'for everyone who works on this store',
    );
    const used = await bob.take();
    expect(used).toMatchObject({ decision: 'allow', approval: { ticket: ticket.id, anyone: true } });
    expect((await bob.json('why', used.id)).story.join(' ')).toContain('for everyone who works on this store');
    expect(await ann.take()).toMatchObject({ decision: 'hold' });
  });
});

describe('on one SQLite file', () => {
  test('two machines have a ticket each', async () => {
    const workspace = createWorkspace(PROJECT);
    const store = `sqlite:${workspace.at('~/shared.db')}`;
    await expectApart(person(workspace, store, 'one'), person(workspace, store, 'two'));
  });

  test('a ticket, its settlement and the entries say who: account, machine, project and repository', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const git = { '.git/HEAD': `${commit}\n`, '.git/config': '[remote "origin"]\n\turl = https://ann:s3cret@example.com/x.git\n' };
    const workspace = createWorkspace({ ...PROJECT, ...git });
    const { run, json, take } = person(workspace, `sqlite:${workspace.at('~/shared.db')}`, 'one');
    const { ticket } = await take();
    const who = {
      ...{ osUser: userInfo().username, userId: String(userInfo().uid), machine: { name: hostname() } },
      project: { root: workspace.root, remote: 'https://example.com/x.git', commit },
    };
    expect(await json('approvals', 'show', ticket.id)).toMatchObject({ who });
    await run('approvals', 'approve', ticket.id, '--by', 'the boss');
    const passed = await take();
    expect(passed.approval).toMatchObject({ by: 'the boss', who: { osUser: who.osUser } });
    const { entries } = await json('log');
    for (const entry of entries) expect(entry).toMatchObject({ who });
    const shown = await Promise.all(
      [['approvals', 'show', ticket.id], ['why', passed.id], ['approvals', '--all'], ['log']].map((words) => run(...words)),
    );
    for (const { stdout } of shown) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`${who.osUser} on ${hostname()}`);
    for (const { stdout } of shown.slice(0, 2))
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('https://example.com/x.git at 0123456789ab');
    for (const { stdout } of shown) expect(stdout).not.toContain('s3cret');
  });
});

test('the agent that calls is named with its version and subagent, in the ticket, the log and `why`', async () => {
  const workspace = createWorkspace();
  const { json, home } = person(workspace, 'default', 'one');
  // Hooks of the user need no trust.
  for (const [name, text] of Object.entries(PROJECT)) {
    const file = path.join(home, name.replace('.agents', '.config/agents'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const env = {
    ...{ XDG_STATE_HOME: path.join(home, '.local/state'), XDG_CONFIG_HOME: path.join(home, '.config') },
    ...{ AI_AGENT: 'claude-code_2-1-325_harness', CLAUDE_CODE_SESSION_ATTENDED: '0' },
  };
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: workspace.root, agent_type: 'reviewer' };
  const call = { ...payload, tool_name: 'Deploy', tool_input: { environment: 'production' } };
  const { stdout } = await hookline({ ...workspace, home }, ['hook', 'claude-code', 'PreToolUse'], { env, stdin: JSON.stringify(call) });
  expect(stdout).toContain('deny');
  const caller = { host: 'claude-code', hostVersion: '2.1.325', agent: 'reviewer' };
  const [ticket] = (await json('approvals')).tickets;
  expect(ticket).toMatchObject({ who: caller, action: { event: { caller } } });
  const [entry] = (await json('log', '--decision', 'hold')).entries;
  expect(entry.who).toMatchObject(caller);
  expect((await json('why', entry.id)).story.join(' ')).toContain('claude-code 2.1.325, reviewer');
});

test('an event that no hook is asked about asks nobody who it is', async () => {
  const workspace = createWorkspace(PROJECT);
  const { run, home } = person(workspace, 'default', 'one');
  const origin = path.join(home, '.local/state/hookline/origin');
  expect((await run('fire', 'tool.before', '--tool', 'Read', '--input', '{}', '--trust-all')).exit).toBe(0);
  expect(existsSync(origin)).toBe(false);
  await run('fire', 'tool.before', '--tool', 'Deploy', '--input', '{}', '--trust-all');
  expect(existsSync(origin)).toBe(true);
});
