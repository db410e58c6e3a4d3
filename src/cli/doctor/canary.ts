/**
 * Sends a harmless probe through the line in an agent's file: a call of a tool that no agent has, from a project of its own. It
 * has arrived if the log contains it. Then half an event, which no hook can judge, must come back denied in the agent's format.
 */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OwnLine } from '../../core/contracts/entry-line.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import type { Host } from '../../core/contracts/host.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/decision/reply.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { interpret } from '../../core/meaning/interpret.ts';
import { type EventRule, isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { resolveHome } from '../../load/find/home.ts';
import { makeFolder, readOrCreateToken, serveFiles } from '../../server/endpoint.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { AGENT_MARKERS, CALLER_VARIABLES } from '../input/started-by.ts';
import { withStore } from '../store.ts';
import type { Examined } from './examine-host.ts';
import type { CanaryReport, HostFileReport, HostReport } from './report.ts';

export interface CanaryTask {
  readonly host: Host;
  readonly lines: readonly OwnLine[];
  readonly env: NodeJS.ProcessEnv;
  /** The token for an address, in place of the agent's own. */
  readonly token: () => string;
  /** Whether the log contains a session. */
  isLogged(session: string): Promise<boolean>;
}

/** Undefined if the agent has no event by which it could be probed. */
export async function probe({ host, lines, env, token, isLogged }: CanaryTask): Promise<CanaryReport | undefined> {
  const chosen = gateAmong(host, lines);
  if (!chosen) return undefined;
  const { line, event, rule } = chosen;
  const project = createProject();
  try {
    const session = `hookline-canary-${path.basename(project)}`;
    const asked = canaryEvent(session, project);
    const text = JSON.stringify(host.dialect.wire.encodeEvent(asked, event));
    const start = performance.now();
    const ask = (payload: string) => (line.via === 'http' ? post(line.text, payload, token()) : run(line.text, payload, project, env));
    const answer = await ask(text);
    const ms = Math.round(performance.now() - start);
    const denial = await ask(text.slice(0, text.length / 2));
    // An entry whose program is gone denies too, but not in these words.
    const denies = decisionOf(denial, event, rule, host, asked) === 'deny' && said(denial).includes(UNREADABLE);
    const logged = await isLogged(session);
    const spoke = decisionOf(answer, event, rule, host, asked) !== undefined && said(answer).includes('hookline');
    const shownBy = logged ? 'log' : spoke || denies ? 'answer' : undefined;
    const detail = shownBy && denies ? undefined : isFault(answer) ? answer.detail : said(shownBy ? denial : answer).slice(0, 300);
    return { arrived: shownBy !== undefined, ...(shownBy && { shownBy }), denies, event, ms, ...(detail && { detail }) };
  } finally {
    rmSync(project, { recursive: true, force: true, maxRetries: 3 });
  }
}

const TOOL = 'HooklineCanary';
const PATIENCE_MS = 30_000;

/** The event before a tool runs; of several, one that carries any tool. */
function gateAmong(host: Host, lines: readonly OwnLine[]) {
  const gates = lines.flatMap((line) =>
    (line.event === undefined ? host.entry.events : [line.event]).flatMap((event) => {
      const rule = host.dialect.profile.events[event];
      return rule && isToolGate(host, event) ? [{ line, event, rule }] : [];
    }),
  );
  const probed = canaryEvent('', '');
  const { wire } = host.dialect;
  const carries = ({ event }: { readonly event: string }) => wire.decodeEvent(event, wire.encodeEvent(probed, event)).data['tool'] === TOOL;
  return gates.find(carries) ?? gates[0];
}

function isToolGate({ dialect }: Host, event: string): boolean {
  const rule = dialect.profile.events[event];
  return rule?.kinds.includes('tool.before') === true && isBlockingEvent(rule);
}

function canaryEvent(session: string, cwd: string): HookEvent {
  const data = { tool: TOOL, input: { command: 'true' }, toolUseId: 'hookline-canary' };
  return { id: 'hookline-canary', kind: 'tool.before', at: new Date().toISOString(), session: { id: session, cwd }, data };
}

/** Creates a project with one untrusted hook: the hook never runs, and the log records that. */
function createProject(): string {
  const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-canary-')));
  const folder = path.join(project, '.agents/hooks/hookline-canary');
  mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  writeFileSync(
    path.join(folder, 'HOOK.md'),
    '---\nname: hookline-canary\ndescription: Shows in the log that an event has arrived.\ntrigger: before_tool\n---\n',
  );
  writeFileSync(path.join(folder, 'scripts/run.sh'), '#!/bin/sh\nexit 0\n');
  chmodSync(path.join(folder, 'scripts/run.sh'), 0o755);
  return project;
}

type Answered = Reply | Fault;

function run(line: string, payload: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Answered> {
  return new Promise((resolve) => {
    const child = spawn(line, { cwd, env: plainEnvironment(env), shell: true, stdio: ['pipe', 'pipe', 'pipe'], timeout: PATIENCE_MS });
    const out = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (chunk: string) => (out[stream] += chunk));
    child.stdin.on('error', () => {}).end(payload);
    child.once('error', (error) => resolve(fault('spawn', error.message)));
    child.once('close', (exit) => resolve({ kind: 'process', exit, ...out, output: `${out.stdout}${out.stderr}` }));
  });
}

/** Without the headers that `fetch` adds and by which a browser is recognised. */
function post(url: string, payload: string, token: string): Promise<Answered> {
  const headers = { 'content-type': 'application/json', 'x-hookline-token': token };
  return new Promise((resolve) => {
    const failed = (error: Error): void => resolve(fault('network', error.message));
    const call = request(url, { method: 'POST', headers, timeout: PATIENCE_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.once('error', failed).once('end', () => resolve({ kind: 'http', status: response.statusCode ?? 0, body }));
    });
    call.once('timeout', () => call.destroy(new Error('it did not answer in time')));
    call.once('error', failed).end(payload);
  });
}

/** Returns the environment without the variables of hooks and other agents, as the agent's own process has it. */
function plainEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !Object.hasOwn(AGENT_MARKERS, name) && !CALLER_VARIABLES.includes(name)),
  );
}

function decisionOf(answer: Answered, event: string, rule: EventRule, { dialect }: Host, asked: HookEvent): string | undefined {
  const hook: Hook = {
    id: 'hookline-canary',
    name: 'hookline-canary',
    dialect: dialect.id,
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: PATIENCE_MS,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '', scope: 'user' },
  };
  const verdict = interpret(answer, hook, rule, dialect, asked);
  return 'decision' in verdict ? verdict.decision.kind : undefined;
}

function said(answer: Answered): string {
  if (isFault(answer)) return answer.detail;
  if (answer.kind === 'process') return `exit ${answer.exit ?? 'by a signal'}: ${`${answer.stdout}${answer.stderr}`.trim()}`;
  return answer.kind === 'http' ? `status ${answer.status}: ${answer.body.trim()}` : '';
}

export interface Probed {
  readonly reports: readonly HostReport[];
  readonly findings: readonly Diagnostic[];
}

/** Probes every installed file, one after the other, and reports the problems. */
export async function canaries(args: Arguments, hosts: readonly Host[], examined: readonly Examined[]): Promise<Probed> {
  const home = optionValue(args, 'home');
  const env = { ...process.env, ...(home !== undefined && { HOOKLINE_HOME: resolveHome({ home }, {}).home }) };
  const findings: Diagnostic[] = [];
  const reports: HostReport[] = [];
  for (const [index, { report, files }] of examined.entries()) {
    const host = hosts[index] as Host;
    const probed = [];
    for (const [at, file] of report.files.entries()) {
      const lines = files[at]?.lines ?? [];
      const task = { host, lines, env, token: () => tokenOf(home), isLogged: logged(args) };
      const canary = lines.length === 0 ? undefined : (unsent(host, file) ?? (await probe(task)));
      if (canary && report.ignored === undefined) findings.push(...failure(host, file.file, canary));
      probed.push({ ...file, ...(canary && { canary }) });
    }
    reports.push({ ...report, files: probed });
  }
  return { reports, findings };
}

/** How Hookline answers to half an event. */
const UNREADABLE = 'could not judge this';

/** The line proves nothing if the agent would not start it, however well it answers. */
function unsent(host: Host, { state, missing }: HostFileReport): CanaryReport | undefined {
  const gates = host.entry.events.filter((event) => isToolGate(host, event));
  const event = gates[0];
  if (event === undefined) return undefined;
  const why =
    state === 'ignored'
      ? `${host.title} does not run the entry in this file`
      : state === 'dead'
        ? 'the line of the entry cannot run'
        : state === 'changed'
          ? 'the entry is not as it was installed'
          : gates.some((gate) => !missing.includes(gate))
            ? undefined
            : `there is no entry for ${gates.join(', ')}`;
  return why === undefined ? undefined : { arrived: false, denies: false, event, ms: 0, notSent: why };
}

function logged(args: Arguments): (session: string) => Promise<boolean> {
  return (session) => withStore(args, async ({ log: audit }) => (await audit.list({ session, limit: 1 })).length > 0).catch(() => false);
}

function tokenOf(home: string | undefined): string {
  const files = serveFiles(resolveHome({ home }, process.env).stateFolder);
  makeFolder(files.folder);
  return readOrCreateToken(files);
}

function failure(host: Host, file: string, { arrived, denies, event, detail, notSent }: CanaryReport): Diagnostic[] {
  if (arrived && denies) return [];
  const what = notSent
    ? `it was not sent, because ${notSent}`
    : arrived
      ? `half an event was not denied, so ${host.title} runs calls that cannot be judged`
      : `${host.title} runs the line, but the event does not reach the hooks`;
  const message = `The canary on ${event} failed: ${what}.${detail === undefined ? '' : ` Output: ${detail}`}`;
  return [
    {
      severity: 'error',
      code: 'canary-failed',
      file,
      message,
      hint: notSent === undefined ? `Run \`hookline install ${host.id}\` again, or try the line by hand.` : 'Fix that first.',
    },
  ];
}
