/** The page about a session: whatever a stranger wrote is text, and nothing is loaded. */
import { expect, test } from 'vitest';
import { reportPage } from '../../../../src/cli/views/report-page.ts';
import type { SessionView, ViewEntry } from '../../../../src/views/views.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(1)'>\`\u202e\n\x1b[31m</style></pre>&lt;`;
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

const session: SessionView = {
  ...{
    id: 's',
    parent: null,
    project: '/p',
    host: 'an-agent',
    hostVersion: '1',
    user: 'ann',
    machine: 'laptop',
    origin: 'o',
    firstAt: 0,
    lastAt: 5,
  },
  ...{ lastPos: 3, hookMs: 12, title: null, agents: [], entries: 3, denied: 1, held: 0, asked: 0, faults: 0 },
};
const entry = (more: Partial<ViewEntry> = {}): ViewEntry => ({
  ...{
    pos: 1,
    id: 'e',
    at: 1000,
    sort: 'event',
    session: 's',
    agent: '',
    project: '/p',
    host: 'h',
    user: 'ann',
    machine: 'm',
    origin: 'o',
  },
  ...{ kind: 'tool.before', tool: 'Bash', decision: 'pass', faults: 0, asked: 1, skipped: 0, isRewritten: false, isAlarm: false, ms: 3 },
  ...{ ticket: null, what: 'ls', reason: null, decider: null },
  ...more,
});
const page = (more: Partial<SessionView>, entries: readonly ViewEntry[], stories = new Map<number, readonly string[]>()): string =>
  reportPage({ session: { ...session, ...more }, entries, isCut: false, stories, madeAt: 0 });

test('hostile text in every field is shown as text', () => {
  const agent = { agent: HOSTILE, firstAt: 0, lastAt: 0, entries: 1, denied: 0, held: 0, asked: 0, faults: 0, children: [] };
  const html = page(
    {
      id: HOSTILE,
      title: HOSTILE,
      project: HOSTILE,
      host: HOSTILE,
      hostVersion: HOSTILE,
      user: HOSTILE,
      machine: HOSTILE,
      agents: [agent],
    },
    [
      entry({ tool: HOSTILE }),
      entry({
        pos: 2,
        id: HOSTILE,
        tool: HOSTILE,
        kind: HOSTILE,
        agent: HOSTILE,
        what: HOSTILE,
        reason: HOSTILE,
        decision: 'deny',
        isAlarm: true,
      }),
    ],
    new Map([[2, [HOSTILE]]]),
  );
  expect(html).not.toMatch(/<script|<img|onerror='|\x1b|\u202e/);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
  expect(html).toContain('&#60;script&#62;');
  expect(html).toContain('&#60;U+202E&#62;');
});

test('a secret is masked, wherever it stands', () => {
  const html = page(
    { title: `use ${SECRET}` },
    [entry({ decision: 'deny', what: `curl -H ${SECRET}`, reason: SECRET })],
    new Map([[1, [`It was ${SECRET}.`]]]),
  );
  expect(html).not.toContain(SECRET.slice(4));
  expect(html).toContain('[redacted]');
});

test('the page loads nothing and runs nothing', () => {
  const html = page({}, [entry()]);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
  expect(html).not.toMatch(/<(?:script|link|img|iframe|object)|https?:|url\(|@import/i);
});

test('runs of passes are one line, and everything else is told by itself', () => {
  const html = page({}, [
    ...[entry(), entry({ pos: 2, tool: 'Read' }), entry({ pos: 3 })],
    ...[entry({ pos: 4, decision: 'deny', reason: 'not here' }), entry({ pos: 5 })],
  ]);
  expect(html).toContain('3 passes: Bash 2, Read 1');
  expect(html).toContain('1 pass: Bash 1');
  expect(html).toContain('not here');
  expect(html.match(/class="entry /g)).toHaveLength(1);
});
