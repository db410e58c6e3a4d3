/** A dashboard on a real port, with a real store and real views. It runs in the process of the test, so that times and limits can be chosen. */
import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { openKeeping, openViewsOf } from '../../../src/cli/store.ts';
import { uiParts } from '../../../src/cli/ui/ui-parts.ts';
import type { Store } from '../../../src/core/contracts/store.ts';
import type { Actor } from '../../../src/core/record/who.ts';
import type { Hookline } from '../../../src/index.ts';
import { connect } from '../../../src/stores/sqlite/database.ts';
import { type Assets, loadAssets } from '../../../src/ui/assets.ts';
import type { Session } from '../../../src/ui/credentials.ts';
import type { FeedLimits } from '../../../src/ui/feed.ts';
import type { UiParts } from '../../../src/ui/parts.ts';
import { type RunningUi, startUi } from '../../../src/ui/server.ts';
import type { Views } from '../../../src/views/views.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const PERSON: Actor = { finding: 'person', evidence: ['The test says so.'], via: 'web' };
export const SETTLES: Session = { may: 'settle', because: null, actor: PERSON };
export const READS: Session = {
  may: 'read',
  because: 'An agent may not settle an action.',
  actor: { finding: 'agent', evidence: ['An agent is above this command.'], via: 'web' },
};
export const SECRET = 'the secret of the file';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  // The tests compare it with what they expect.
  // biome-ignore lint/suspicious/noExplicitAny: it is foreign JSON.
  json(): any;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Without those that a page sends. */
  readonly isBare?: boolean;
}

export interface Dashboard {
  readonly workspace: Workspace;
  readonly engine: Hookline;
  readonly store: Store;
  readonly views: Views;
  readonly parts: UiParts;
  readonly ui: RunningUi;
  readonly origin: string;
  /** The token of a page that may settle. */
  readonly token: string;
  /** Returns the token of another page. */
  login(session: Session): Promise<string>;
  /** Asks below `/v1` as the page does. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Fires the call of a tool. */
  fire(command: string, session?: string): Promise<string>;
  /** Fires what is held, and returns the id of its ticket. */
  hold(command?: string): Promise<string>;
  /** Resolves once the views have everything that the log has. */
  caughtUp(): Promise<void>;
}

export interface DashboardOptions {
  readonly limits?: FeedLimits;
  readonly idleMs?: number;
  readonly assets?: Assets;
  readonly now?: () => number;
  readonly welcome?: Session;
}

/** To be called within a test. */
export async function openDashboard({ limits, idleMs = 3_600_000, assets, now, welcome }: DashboardOptions = {}): Promise<Dashboard> {
  const workspace = createWorkspace();
  const store = `sqlite:${workspace.at('~/held.db')}`;
  const engine = await workspace.open({ store, log: { record: 'all' }, approvals: { canSettle: true } });
  engine.on('tool.before', ({ data }) => verdictOn(JSON.stringify(data)), { name: 'gate' });
  const args = { positionals: [], values: new Map(Object.entries({ home: [workspace.home], store: [store] })) };
  const keeping = await openKeeping(args);
  const opened = await keeping.store();
  const views = await openViewsOf(args, opened);
  const parts = { ...uiParts(args, keeping, opened, views), ...(now && { now }) };
  const ui = await startUi({
    ...{ parts, port: 0, idleMs, secret: SECRET, assets: assets ?? loadAssets(workspace.at('no-pages')) },
    welcome: async () => welcome ?? READS,
    ...(limits && { limits }),
  });
  onTestFinished(async () => {
    await ui.stop('the test is over');
    await views.close();
    await keeping.close(0);
  });
  const origin = `http://127.0.0.1:${ui.port}`;
  const login = async (session: Session): Promise<string> => {
    const answer = await askRaw(`${origin}/v1/login`, { method: 'POST', body: { code: ui.issue(session) } });
    return answer.json().token;
  };
  const token = await login(SETTLES);
  const fire = async (command: string, session = 'a-session'): Promise<string> => {
    const { id } = await engine.fire('tool.before', { tool: 'Bash', input: { command } }, { session, cwd: workspace.root });
    return id;
  };
  return {
    ...{ workspace, engine, store: opened, views, parts, ui, origin, token, login, fire },
    ask: (path, options = {}) =>
      askRaw(`${origin}/v1${path}`, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } }),
    async hold(command = 'deploy') {
      const { ticket } = await engine.fire(
        'tool.before',
        { tool: 'Bash', input: { command } },
        { session: 'a-session', cwd: workspace.root },
      );
      if (!ticket) throw new Error('It was not held.');
      return ticket.id;
    },
    async caughtUp() {
      await views.catchUp();
    },
  };
}

function verdictOn(text: string) {
  if (text.includes('deploy')) return { decision: 'hold', reason: 'deploys need a second pair of eyes' } as const;
  if (text.includes('rm')) return { decision: 'deny', reason: 'nothing is deleted here' } as const;
  return undefined;
}

/** Sends a request with exactly these headers; those of a page are added unless it is bare. */
export function askRaw(address: string, { method = 'GET', headers = {}, body, isBare = false }: AskOptions = {}): Promise<Answer> {
  const { origin } = new URL(address);
  const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const own = isBare ? {} : { ...(method !== 'GET' && { origin }), ...(bytes !== undefined && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const asked = request(address, { method, headers: { ...own, ...headers }, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: () => JSON.parse(text) }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(bytes);
  });
}

/** Changes a database behind the back of the dashboard. */
export function tamper(file: string, statement: string): void {
  const connection = connect(file);
  connection.exec(statement);
  connection.close();
}
