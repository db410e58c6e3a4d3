/** Actions that are settled from a page: what was seen is what is approved, once, by a person, and the log shows each attempt. */
import { expect, test } from 'vitest';
import { openSecret } from '../../../src/people/secret.ts';
import { createGate } from '../cli/gate.ts';
import { hookline } from '../cli/program.ts';
import { type Answer, type Dashboard, openDashboard, READS } from './dashboard.ts';
import { openProgram } from './program.ts';

const SECRET_KEY = `ghp_${'a1B2'.repeat(9)}`;

async function settle(dashboard: Dashboard, id: string, verb: string, more: object = {}, token = dashboard.token): Promise<Answer> {
  const { digest } = (await dashboard.ask(`/tickets/${id}`)).json().ticket;
  return dashboard.ask(`/tickets/${id}/${verb}`, {
    method: 'POST',
    body: { digest, ...more },
    headers: { authorization: `Bearer ${token}` },
  });
}

async function acts({ store }: Dashboard, kind: string) {
  const entries = await store.log.list({ limit: 1000 });
  return entries.filter((entry) => entry.kind === kind);
}

test('an approval releases the action once, and the log has who gave it and how that was found out', async () => {
  const dashboard = await openDashboard();
  const id = await dashboard.hold();
  const answer = await settle(dashboard, id, 'approve', { note: 'checked' });
  expect([answer.status, answer.json().ticket]).toMatchObject([
    200,
    { id, state: 'approved', note: 'checked', via: 'web', actor: { finding: 'person' } },
  ]);
  expect(await acts(dashboard, 'ticket.approved')).toMatchObject([
    { decision: 'allow', ticket: id, actor: { finding: 'person', via: 'web' } },
  ]);
  const fired = await dashboard.engine.fire(
    'tool.before',
    { tool: 'Bash', input: { command: 'deploy' } },
    { session: 'a-session', cwd: dashboard.workspace.root },
  );
  expect(fired.decision).not.toBe('hold');
  const later = await settle(dashboard, id, 'deny');
  expect([later.status, later.json()]).toMatchObject([409, { state: 'approved', by: expect.any(String) }]);
});

test('a page that can only look settles nothing, and its attempt is in the log', async () => {
  const dashboard = await openDashboard();
  const id = await dashboard.hold();
  const token = await dashboard.login(READS);
  for (const verb of ['approve', 'deny', 'withdraw']) {
    const answer = await settle(dashboard, id, verb, {}, token);
    expect([verb, answer.status, answer.json()]).toMatchObject([
      verb,
      403,
      { detail: expect.stringContaining('An agent may not'), hint: /./ },
    ]);
  }
  expect(await dashboard.store.tickets.get(id, Date.now())).toMatchObject({ state: 'open' });
  expect(await acts(dashboard, 'ticket.approved')).toMatchObject([{ decision: 'deny', actor: { finding: 'agent', via: 'web' } }]);
});

test('a digest that differs from the one that was shown settles nothing', async () => {
  const dashboard = await openDashboard();
  const id = await dashboard.hold();
  const answer = await dashboard.ask(`/tickets/${id}/approve`, { method: 'POST', body: { digest: 'sha256:of another action' } });
  expect([answer.status, answer.json().detail]).toEqual([409, expect.stringContaining('another one than the page showed')]);
  expect((await dashboard.ask(`/tickets/${id}/approve`, { method: 'POST', body: {} })).status).toBe(400);
  expect((await dashboard.ask('/tickets/none/approve', { method: 'POST', body: { digest: 'x' } })).status).toBe(404);
  expect(await dashboard.store.tickets.get(id, Date.now())).toMatchObject({ state: 'open' });
});

test('of fifty who settle at once, one wins, and the others are told who did', async () => {
  const dashboard = await openDashboard();
  const id = await dashboard.hold();
  const verbs = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 'approve' : 'deny'));
  const answers = await Promise.all(verbs.map((verb) => settle(dashboard, id, verb)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const lost = answers.filter(({ status }) => status === 409);
  expect(lost).toHaveLength(49);
  const settled = await dashboard.store.tickets.get(id, Date.now());
  expect(new Set(lost.map((one) => one.json().state))).toEqual(new Set([settled?.state]));
});

test('an edited input is fitted to the event, keeps the secrets that it leaves alone, and is judged again', async () => {
  const dashboard = await openDashboard();
  const edit = async (id: string, input: unknown): Promise<Answer> => settle(dashboard, id, 'approve', { edit: input });
  const command = `deploy --token ${SECRET_KEY}`;
  const { ticket } = await dashboard.engine.fire('tool.before', { tool: 'Bash', input: { command, description: 'to production' } });
  const id = ticket?.id ?? '';
  const shown = (await dashboard.ask(`/tickets/${id}`)).json().ticket.input;
  expect(shown.command).toBe('deploy --token [redacted]');
  expect((await edit(id, 'a text')).status).toBe(422);
  const changed = await edit(id, { ...shown, command: `${shown.command} --dry-run` });
  expect([changed.status, changed.json().detail]).toEqual([422, expect.stringContaining('a secret that is not shown here')]);
  expect((await edit(id, { ...shown, description: 'to staging' })).status).toBe(200);
  expect(await dashboard.store.tickets.get(id, Date.now())).toMatchObject({
    state: 'approved',
    edit: { command, description: 'to staging' },
  });
  const masked = (await dashboard.ask(`/tickets/${id}`)).json().ticket.edit;
  expect(masked).toEqual({ command: 'deploy --token [redacted]', description: 'to staging' });
  expect((await settle(dashboard, await dashboard.hold('deploy again'), 'deny', { edit: {} })).status).toBe(400);
});

test('a passphrase is needed for each settlement, and a wrong one settles nothing', async () => {
  const dashboard = await openDashboard();
  openSecret(dashboard.workspace.at('~/.local/state')).set('correct horse');
  const id = await dashboard.hold();
  expect((await dashboard.ask('/me')).json()).toMatchObject({ needsPassphrase: true, may: 'settle' });
  expect((await settle(dashboard, id, 'approve')).json()).toMatchObject({ status: 403, detail: expect.stringContaining('none was given') });
  expect((await settle(dashboard, id, 'approve', { passphrase: 'wrong horse' })).json()).toMatchObject({
    status: 403,
    detail: 'The passphrase is wrong.',
  });
  expect(await dashboard.store.tickets.get(id, Date.now())).toMatchObject({ state: 'open' });
  const token = await dashboard.login(READS);
  expect((await settle(dashboard, id, 'approve', { passphrase: 'correct horse' }, token)).status).toBe(403);
  const right = await settle(dashboard, id, 'approve', { passphrase: 'correct horse' });
  expect([right.status, right.json().ticket.actor]).toMatchObject([200, { by: 'secret' }]);
  expect(JSON.stringify(await dashboard.store.log.list({ limit: 100 }))).not.toContain('horse');
});

test('a process that waits goes on when its action is approved in the browser', async () => {
  const gate = createGate();
  const waiting = gate.fire('deploy now', '--wait', '600', '--json');
  const page = await openProgram(gate.workspace, ['--store', `sqlite:${gate.workspace.at('~/held.db')}`]);
  expect(page.shown).toMatchObject({ may: 'settle', because: null });
  const ticket = await page.waits();
  const { digest } = (await page.ask(`/tickets/${ticket}`)).json().ticket;
  const answer = await page.ask(`/tickets/${ticket}/approve`, { method: 'POST', body: { digest } });
  expect([answer.status, answer.json().ticket.state]).toEqual([200, 'approved']);
  const { exit, stdout } = await waiting;
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { decision: 'allow', approval: { state: 'approved', ticket } }]);
  const log = (await hookline(gate.workspace, ['log', '--json', '--store', `sqlite:${gate.workspace.at('~/held.db')}`])).stdout;
  expect(log).not.toContain(page.token);
});
