/** The answers of every route against the schemas of the document, on a log with every sort of entry. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { hookId } from '../../../src/views/problem-shape.ts';
import { until } from '../../support/patience.ts';
import { sampleEntry } from '../views/sample-log.ts';
import { appendMany } from '../views/scene.ts';
import { type Answer, askRaw, type Dashboard, openDashboard, tamper } from './dashboard.ts';

const SECRET_KEY = `ghp_${'a1B2'.repeat(9)}`;

// biome-ignore lint/suspicious/noExplicitAny: it is foreign JSON.
type Document = any;

/** Compiles each schema of the document, so that a reference that leads nowhere fails. */
function validatorOf(document: Document) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true, allowUnionTypes: true });
  ajv.addSchema(withReferences({ $id: 'document', $defs: document.components.schemas }) as object);
  return (schema: object, value: unknown): readonly unknown[] => {
    const validate = ajv.compile(withReferences(schema) as object);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}

function withReferences(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"document#/$defs/'));
}

async function busy(): Promise<Dashboard & { readonly ticket: string; readonly denied: string; readonly passed: string }> {
  const dashboard = await openDashboard();
  const { engine, fire, hold, store, caughtUp, workspace } = dashboard;
  await engine.fire('prompt.submit', { prompt: 'Ship it, please.' }, { session: 'a-session' });
  await engine.fire('tool.before', { tool: 'Write', input: { file_path: '/app/a.txt', content: 'a' } }, { session: 'a-session' });
  const passed = await fire('ls');
  const denied = await fire(`rm -rf build --token ${SECRET_KEY}`);
  const ticket = await hold(`deploy --token ${SECRET_KEY}`);
  const now = Date.now();
  await appendMany(store, 0, 30, (n) =>
    sampleEntry(`fault-${n}`, {
      at: now - n,
      session: 'other',
      root: workspace.root,
      hooks: [{ status: 'faulted', fault: { kind: 'timeout', detail: `after ${n} ms` } }],
    }),
  );
  await caughtUp();
  return { ...dashboard, ticket, denied, passed };
}

test('the document describes each route once, and every reference leads somewhere', async () => {
  const { origin } = await openDashboard();
  const document: Document = (await askRaw(`${origin}/v1/openapi.json`)).json();
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: expect.any(String), version: expect.any(String) } });
  const operations = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  expect(operations.length).toBeGreaterThan(20);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, method, summary, parameters, responses, security, requestBody } of operations) {
    expect([path, summary]).toEqual([path, expect.stringMatching(/\.$/)]);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((one: Document) => one.in === 'path').map((one: Document) => one.name)).toEqual(inPath);
    expect(parameters.every((one: Document) => typeof one.schema === 'object' && typeof one.required === 'boolean')).toBe(true);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400']));
    const isOpen = path === '/v1/login' || path === '/v1/openapi.json';
    expect([path, security]).toEqual([path, isOpen ? [] : [{ bearer: [] }]]);
    expect([path, method, requestBody !== undefined]).toEqual([path, method, method !== 'get']);
  }
  const names = Object.keys(document.components.schemas);
  const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(used.filter((name) => !names.includes(name as string))).toEqual([]);
  expect(names.filter((name) => !used.includes(name))).toEqual([]);
  const validate = validatorOf(document);
  for (const schema of Object.values(document.components.schemas)) validate(schema as object, {});
});

test('each answer is as the document says, and no route is left out', async () => {
  const { ask, ticket, denied, passed, origin, token } = await busy();
  const document: Document = (await askRaw(`${origin}/v1/openapi.json`)).json();
  const validate = validatorOf(document);
  const digest = (await ask(`/tickets/${ticket}`)).json().ticket.digest;
  const hook = hookId('hookline', 'tool.before', 'gate', '/hooks/gate.md');
  const [problem] = (await ask('/hooks')).json().problems;
  const asked: readonly (readonly [route: string, address: string, body?: object])[] = [
    ['get /v1/me', '/me'],
    ['get /v1/now', '/now?minutes=60'],
    ['get /v1/figures', '/figures?by=minute'],
    ['get /v1/figures', '/figures?by=day'],
    ['get /v1/entries', '/entries?limit=5'],
    ['get /v1/entries', '/entries?fold=1'],
    ['get /v1/entries', '/entries?decision=deny,hold&text=RM&session=a-session&tool=Bash'],
    ['get /v1/entries', `/entries?fault=1&hook=${hook}&limit=3`],
    ['get /v1/entries/{id}', `/entries/${denied}?decision=deny`],
    ['get /v1/entries/{id}', `/entries/${passed}`],
    ['get /v1/entries/{id}', '/entries/fault-3'],
    ['get /v1/entries/{id}/plan', `/entries/${denied}/plan`],
    ['post /v1/what-if', '/what-if', { command: 'rm -rf /' }],
    ['get /v1/sessions', '/sessions?limit=1'],
    ['get /v1/sessions/{id}', '/sessions/a-session'],
    ['get /v1/hooks', '/hooks'],
    ['get /v1/agents', '/agents'],
    ['get /v1/hooks/{id}/series', `/hooks/${hook}/series?by=day`],
    ['patch /v1/problems/{id}', `/problems/${encodeURIComponent(problem.id)}`, { state: 'resolved' }],
    ['get /v1/facets/{name}', '/facets/tool'],
    ['get /v1/tickets', '/tickets'],
    ['get /v1/tickets', '/tickets?state=all'],
    ['get /v1/tickets/{id}', `/tickets/${ticket}`],
    ['post /v1/tickets/{id}/approve', `/tickets/${ticket}/approve`, { digest, note: 'checked' }],
    ['get /v1/tickets', '/tickets?state=settled'],
    ['post /v1/leave', '/leave', {}],
  ];
  for (const [route, address, body] of asked) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await ask(address, { method: method.toUpperCase(), ...(body && { body }) });
    expect([route, answer.status, answer.text]).toEqual([route, 200, expect.any(String)]);
    const schema = document.paths[path][method].responses['200'].content['application/json'].schema;
    expect([address, validate(schema, answer.json())]).toEqual([address, []]);
    expect([address, answer.text.includes(SECRET_KEY)]).toEqual([address, false]);
  }
  const others = ['post /v1/login', 'get /v1/openapi.json', 'get /v1/stream', 'get /v1/log/verify', 'get /v1/log/export'];
  const settled = ['post /v1/tickets/{id}/deny', 'post /v1/tickets/{id}/withdraw'];
  const all = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect([...new Set([...asked.map(([route]) => route), ...others, ...settled])].sort()).toEqual(all.sort());
  const refused: readonly Answer[] = [await ask('/entries/none'), await askRaw(`${origin}/v1/me`), await ask('/entries?x=1')];
  for (const one of refused) expect(validate(document.components.schemas.Problem, one.json())).toEqual([]);
  expect(token).not.toBe('');
});

test('a decision is a story with its neighbours in the filter, and a changed entry shows', async () => {
  const { ask, denied, passed, ticket, workspace, fire, caughtUp } = await busy();
  const detail = (await ask(`/entries/${denied}`)).json();
  expect(detail).toMatchObject({
    entry: { id: denied, decision: 'deny' },
    record: { id: denied, data: { tool: 'Bash' } },
    told: 'nothing is deleted here',
    hooks: [{ name: 'gate', decision: 'deny' }],
    command: expect.stringContaining('rm -rf build'),
    followed: [{ ticket }, { ticket }],
    neighbours: { newer: expect.any(String), older: passed },
    chain: 'sound',
    ticket: null,
  });
  expect(detail.sameHookWeek).toHaveLength(7);
  expect(detail.sameHookWeek.at(-1).entries).toBeGreaterThan(0);
  expect(detail.story.join(' ')).toContain('nothing is deleted here');
  const again = await fire('rm more');
  await caughtUp();
  expect((await ask(`/entries/${denied}?decision=deny&tool=Bash`)).json().neighbours).toEqual({ newer: again, older: null });
  expect((await ask('/entries?decision=hold')).json().entries).toHaveLength(1);
  const held = (await ask('/entries?decision=hold')).json().entries[0].id;
  expect((await ask(`/entries/${held}`)).json().ticket).toMatchObject({
    ticket: { id: ticket, state: 'open', input: { command: expect.stringContaining('[redacted]') } },
    asked: 'Ship it, please.',
    changedFiles: ['/app/a.txt'],
    editable: true,
    before: [{ kind: 'prompt.submit' }, { tool: 'Write' }, { what: 'ls' }, { decision: 'deny' }],
  });
  const change = `body = replace(body, 'nothing is deleted', 'anything is deleted')`;
  tamper(workspace.at('~/held.db'), `UPDATE audit SET ${change} WHERE id = '${denied}'`);
  expect((await ask(`/entries/${denied}`)).json().chain).toBe('altered');
});

test('a question of what would happen runs no hook and records nothing', async () => {
  const { ask, workspace, views, caughtUp } = await busy();
  const ran = workspace.at('~/ran');
  workspace.write({
    '.agents/hooks/gate/HOOK.md': '---\nname: on-file\ndescription: Leaves a trace.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': `#!/bin/sh\ntouch '${ran}'\n`,
  });
  await caughtUp();
  const before = (await views.progress()).head;
  const post = async (body: object): Promise<Document> =>
    (await ask('/what-if', { method: 'POST', body: { root: workspace.root, ...body } })).json();
  const hook = expect.objectContaining({ name: 'on-file' });
  expect(await post({ command: 'rm -rf /' })).toMatchObject({
    plan: { kind: 'tool.before', hooks: [hook] },
    guard: { decision: 'deny', rule: 'delete-root', span: [0, 8] },
    problem: null,
  });
  expect(await post({ tool: 'Write', input: { file_path: 'x' } })).toMatchObject({ plan: { hooks: [hook] }, guard: null });
  expect(await post({ event: { kind: 'prompt.submit', data: { prompt: 'hi' } } })).toMatchObject({ plan: { kind: 'prompt.submit' } });
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_name: 'Bash', tool_input: { command: 'ls' } };
  expect(await post({ event: payload })).toMatchObject({ plan: { kind: 'tool.before' }, guard: { decision: 'none' } });
  expect(await post({ event: { nothing: 1 } })).toMatchObject({ plan: null, problem: expect.stringContaining('which event this is') });
  expect(await post({ command: 'ls', root: '/nonexistent' })).toMatchObject({
    plan: null,
    problem: expect.stringContaining('/nonexistent'),
  });
  expect((await ask('/what-if', { method: 'POST', body: { command: 'ls', tool: 'Bash' } })).status).toBe(400);
  await caughtUp();
  expect((await views.progress()).head).toBe(before);
  const { existsSync } = await import('node:fs');
  expect(existsSync(ran)).toBe(false);
  // It is listed as one that may not run.
  const { configured } = (await ask('/hooks')).json();
  expect(configured).toContainEqual(
    expect.objectContaining({ name: 'on-file', state: 'untrusted', says: expect.stringContaining('trust') }),
  );
});

test('the log is verified with progress, and exported as the command does', async () => {
  const { ask, views } = await busy();
  const { head } = await views.progress();
  const { text } = await ask('/log/verify');
  expect(text).toMatch(new RegExp(`event: progress\ndata: {"checked":0,"total":${head}}`));
  const done = JSON.parse(/event: done\ndata: (.+)/.exec(text)?.[1] ?? 'null');
  expect(done).toMatchObject({ ok: true, entries: head, problems: [] });
  const lines = (await ask('/log/export?format=csv')).text.trim().split('\n');
  expect(lines.length).toBeGreaterThan(head);
  expect((await ask('/log/export')).headers['content-disposition']).toBe('attachment; filename="hookline-log.ndjson"');
  expect((await ask('/log/export?format=xml')).status).toBe(400);
});

test('a problem is resolved, muted and reopened, and pages of sessions follow one another', async () => {
  const { ask } = await busy();
  const { problems } = (await ask('/hooks')).json();
  expect(problems).toMatchObject([{ kind: 'fault:timeout', state: 'open', count: 30 }]);
  const change = (body: object): Promise<Answer> => ask(`/problems/${encodeURIComponent(problems[0].id)}`, { method: 'PATCH', body });
  expect((await change({ state: 'resolved' })).json()).toMatchObject({ state: 'resolved' });
  expect((await change({ state: 'muted', until: Date.now() + 60_000 })).json()).toMatchObject({ state: 'muted' });
  expect((await change({ state: 'muted' })).status).toBe(400);
  expect((await change({ state: 'open' })).json()).toMatchObject({ state: 'open' });
  expect((await ask('/problems/none', { method: 'PATCH', body: { state: 'open' } })).status).toBe(404);
  const first = (await ask('/sessions?limit=1')).json();
  const second = (await ask(`/sessions?limit=1&after=${encodeURIComponent(first.next)}`)).json();
  expect([first, second].map(({ sessions }) => sessions[0].id).sort()).toEqual(['a-session', 'other']);
  expect((await ask('/sessions?after=nonsense')).status).toBe(400);
  await until(async () => (await ask('/me')).json().problems === 1);
});
