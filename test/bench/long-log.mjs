// A log of any length in SQLite, chained like a real one: sessions at work side by side, sixty hooks, fourteen days, few denials and faults.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { bundleSource } from '../support/bundle-source.mjs';

const { canonicalJson, follow, GENESIS, openSqliteStore } = await import(await bundleSource('test/bench/long-log-parts.ts'));

export const HOOKS = 60;
export const DAYS = 14;
const IN_A_SESSION = 125;
const AT_ONCE = 12;
const DAY_MS = 86_400_000;
const COMMANDS = [
  'npm test -- --run',
  'git status --short',
  'ls -la src',
  'grep -rn createHookline src',
  'node scripts/build.mjs',
  'cat README.md',
];
const TOOLS = ['Bash', 'Bash', 'Bash', 'Read', 'Read', 'Edit', 'Grep', 'Write', 'WebFetch', 'Task'];

/** Writes `count` entries that end at `until`. The same count gives the same entries. */
export async function writeLongLog(file, count, until) {
  await openSqliteStore(file).close();
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const database = new Database(file);
  database.pragma('synchronous = OFF');
  const insert = database.prepare(
    'INSERT INTO audit (seq, id, at, session, tool, decision, hooks, previous, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const hash = (text) => createHash('sha256').update(text).digest('hex');
  let head = GENESIS;
  const step = (DAYS * DAY_MS) / count;
  for (let start = 0; start < count; start += 20_000) {
    database.transaction(() => {
      for (let n = start; n < Math.min(count, start + 20_000); n++) {
        const record = recordOf(n, Math.round(until - (count - n) * step));
        const body = canonicalJson(record);
        const next = follow(head, body, hash);
        const names = record.outcome.hooks.map(({ name, id }) => `${name}\n${id}`).join('\n');
        insert.run(next.seq, record.id, record.at, record.session, record.tool, record.decision, names, head.hash, next.hash, body);
        head = next;
      }
    })();
  }
  database.prepare('UPDATE head SET seq = ?, hash = ?, seal = NULL, origin = NULL').run(head.seq, head.hash);
  database.close();
}

/** Returns a number that looks like chance and is the same in every run. */
function chance(n, salt) {
  let x = (n * 2_654_435_761 + salt * 40_503) >>> 0;
  x ^= x >>> 15;
  x = Math.imul(x, 2_246_822_519) >>> 0;
  x ^= x >>> 13;
  return (x >>> 0) / 2 ** 32;
}

function sessionOf(n) {
  const lane = n % AT_ONCE;
  return `session-${lane + AT_ONCE * Math.floor(Math.floor(n / AT_ONCE) / IN_A_SESSION)}`;
}

function recordOf(n, at) {
  const luck = chance(n, 1);
  const decision = luck < 0.012 ? 'deny' : luck < 0.015 ? 'hold' : luck < 0.06 ? 'allow' : 'pass';
  const tool = TOOLS[Math.floor(chance(n, 2) * TOOLS.length)];
  const isAfter = n % 3 === 1;
  const session = sessionOf(n);
  const asked = 1 + Math.floor(chance(n, 3) * 3);
  const hooks = Array.from({ length: asked }, (_, i) => reportOf(n, i, decision));
  const command = `${COMMANDS[Math.floor(chance(n, 4) * COMMANDS.length)]} ${n % 50_000 === 7 ? 'zebra-crossing' : `part-${n % 997}`}`;
  return {
    at,
    data: { tool, input: { command, description: 'Does a part of the work' }, toolUseId: `toolu_${n}`, cwd: '/home/ann/projects/shop' },
    decision,
    digests: { event: `sha256:${'e'.repeat(64)}`, hooks: `sha256:${'h'.repeat(64)}`, input: `sha256:${'i'.repeat(64)}` },
    id: `e${n.toString(36)}`,
    kind: isAfter ? 'tool.after' : 'tool.before',
    masked: [],
    ms: Math.round(5 + chance(n, 5) * 200),
    outcome: { context: [], contextSources: [], diagnostics: [], hooks, notices: [], quiet: false, unmatched: 60 - asked },
    reason: decision === 'deny' || decision === 'hold' ? `The rule about ${command.slice(0, 20)} says that this is not done here` : null,
    root: `/home/ann/projects/${['shop', 'site', 'tools'][Number(session.slice(8)) % 3]}`,
    session,
    ticket: decision === 'hold' ? `t${n.toString(36)}` : null,
    tool,
    who: {
      ...{ host: ['an-agent', 'another-agent'][Number(session.slice(8)) % 2], hostVersion: '2.1.0' },
      ...(n % 9 === 0 && { agent: 'reviewer' }),
      ...{ osUser: ['ann', 'bob', 'kim'][Number(session.slice(8)) % 3], userId: '1000', machine: { id: 'machine-1', name: 'laptop' } },
      project: { root: '/home/ann/projects/shop', commit: '0123456789abcdef' },
    },
  };
}

function reportOf(n, i, decision) {
  const hook = Math.floor(chance(n, 10 + i) ** 2 * HOOKS);
  const isFaulted = chance(n, 20 + i) < 0.004;
  const ms = Math.round((2 + hook) * (0.5 + chance(n, 30 + i) * 3) * 10) / 10;
  const common = {
    ...{ id: `hook-${hook}@file`, name: `hook-${hook}`, dialect: 'hookline', event: 'tool.before', handler: 'command', ms },
    source: { file: `/home/ann/.hookline/hooks/hook-${hook}.md`, scope: 'user', line: 2 },
  };
  if (isFaulted)
    return {
      ...common,
      status: 'faulted',
      decision: 'pass',
      fault: { kind: 'timeout', detail: `did not answer within ${1000 + hook} ms` },
    };
  return { ...common, status: 'answered', decision: i === 0 ? decision : 'pass' };
}
