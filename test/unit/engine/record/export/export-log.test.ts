import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleRecord } from '../../../../../src/api/testing/sample-records.ts';
import { type Checkpoint, checkpointText } from '../../../../../src/core/record/checkpoint.ts';
import { chain, GENESIS, type LogEntry, type LogRecord } from '../../../../../src/core/record/decision-record.ts';
import type { Who } from '../../../../../src/core/record/who.ts';
import { exportLog, FORMATS, type FormatName } from '../../../../../src/engine/record/export/export-log.ts';
import { type VerifiedExport, verifyExport } from '../../../../../src/engine/record/export/verify-export.ts';
import { isSigned } from '../../../../../src/stores/log-key.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = spki(publicKey);

function spki(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64');
}

const ANN: Who = {
  osUser: 'ann',
  userId: '1000',
  machine: { id: 'm-1', name: 'laptop' },
  host: 'some-agent',
  hostVersion: '2.1',
  project: { root: '/project', remote: 'https://example.org/x.git', commit: 'a'.repeat(40) },
};

/** Texts that a format would have to escape. */
const HOSTILE = 'a|b=c\\d "e", f\r\n=SUM(1)';

function entriesOf(...records: readonly Partial<LogRecord>[]): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const [i, more] of records.entries())
    entries.push(chain(sampleRecord(`id-${i + 1}`, { who: ANN, ...more }), entries.at(-1) ?? GENESIS, hash));
  return entries;
}

const LOG = entriesOf(
  { reason: HOSTILE, data: { tool: 'Bash', input: { command: HOSTILE } } },
  { decision: 'pass', reason: null },
  { kind: 'ticket.approved', decision: 'deny', actor: { finding: 'agent', evidence: ['An agent is above.'], via: 'cli' } },
  { decision: 'hold' },
);

function statementAbout({ seq, hash: stated }: { seq: number; hash: string }, key = privateKey, shown = KEY): Checkpoint {
  const unsigned = { origin: 'o-1', store: 'sqlite:x', seq, hash: stated, at: 5000, key: shown };
  return { ...unsigned, signature: sign(null, Buffer.from(checkpointText(unsigned)), key).toString('base64') };
}

async function* pagesOf<T>(pages: readonly T[]): AsyncGenerator<T> {
  yield* pages;
}

async function textOf(format: FormatName, entries = LOG, checkpoints = [statementAbout(entries.at(-1) as LogEntry)]): Promise<string> {
  const about = { version: '1.0.0', store: 'sqlite:x', anchor: GENESIS };
  let text = '';
  for await (const part of exportLog({ about, pages: pagesOf([entries.slice(0, 2), entries.slice(2)]), checkpoints }, FORMATS[format]))
    text += part;
  return text;
}

const read = (text: string, trusted = [KEY]): Promise<VerifiedExport> =>
  verifyExport(pagesOf(text.trimEnd().split('\n')), new Set(trusted), hash, isSigned);

describe('an exported log', () => {
  it('verifies with nothing but the file and the key', async () => {
    expect(await read(await textOf('ndjson'))).toMatchObject({ ok: true, entries: 4, checkpoints: 1, coveredTo: 4, problems: [] });
  });

  const tamperings: Readonly<Record<string, readonly [string, (lines: string[]) => string[]]>> = {
    'a changed entry': ['changed', (lines) => lines.map((line, i) => (i === 2 ? line.replace('"pass"', '"deny"') : line))],
    'a removed entry': ['missing', (lines) => lines.toSpliced(2, 1)],
    'a cut end': ['incomplete', (lines) => lines.slice(0, -1)],
    'the newest entry removed': ['contradicted', (lines) => lines.toSpliced(4, 1)],
    'an exchanged order': ['missing', (lines) => lines.toSpliced(1, 2, lines[2] as string, lines[1] as string)],
    'a line that is no JSON': ['unreadable', (lines) => lines.toSpliced(2, 1, '{')],
    'a line after the end': ['incomplete', (lines) => [...lines, '{}']],
    'another kind of file': ['unreadable', () => ['{"a": 1}']],
    'a forged statement': ['bad-signature', (lines) => lines.map((line) => line.replace('"at":5000', '"at":5001'))],
  };
  for (const [name, [problem, tamper]] of Object.entries(tamperings)) {
    it(`shows ${name}`, async () => {
      const lines = (await textOf('ndjson')).trimEnd().split('\n');
      const found = await read(tamper(lines).join('\n'));
      expect(found.ok).toBe(false);
      expect(found.problems.map((one) => one.problem)).toContain(problem);
      expect(found.problems.every(({ line }) => line > 0)).toBe(true);
    });
  }

  it('is not proven by a key that the reader did not give', async () => {
    const other = generateKeyPairSync('ed25519');
    const forged = [statementAbout(LOG.at(-1) as LogEntry, other.privateKey, spki(other.publicKey))];
    const found = await read(await textOf('ndjson', LOG, forged));
    expect(found).toMatchObject({ ok: false, checkpoints: 0, problems: [{ problem: 'unknown-key', seq: 4 }] });
  });

  it('names an empty file', async () => {
    expect(await verifyExport(pagesOf([]), new Set([KEY]), hash, isSigned)).toMatchObject({
      ok: false,
      problems: [{ problem: 'unreadable' }],
    });
  });
});

describe('a flat format', () => {
  it('keeps each entry in one record of the csv, whatever its texts hold', async () => {
    const text = await textOf('csv');
    const rows = parseCsv(text);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(rows).toHaveLength(1 + LOG.length + 1);
    const column = (name: string): number => (rows[0] as string[]).indexOf(name);
    expect(rows[1]?.[column('reason')]).toBe(HOSTILE);
    expect(rows[1]?.[column('user')]).toBe('ann');
    expect(rows.at(-1)?.[column('kind')]).toBe('log.checkpoint');
  });

  it('never lets a spreadsheet run a cell', async () => {
    const text = await textOf('csv', entriesOf({ reason: '=HYPERLINK("x")' }, { reason: '@x' }, { reason: '-1+1' }, { reason: '\tx' }));
    const rows = parseCsv(text);
    expect(rows.flat().filter((cell) => /^[=+\-@\t]/.test(cell))).toEqual([]);
  });

  it('keeps each entry in one line of the cef', async () => {
    const lines = (await textOf('cef')).trimEnd().split('\n');
    expect(lines).toHaveLength(LOG.length + 1);
    for (const line of lines) expect(line).toMatch(/^CEF:0\|Hookline\|Hookline\|1\.0\.0\|[\w.]+\|[^|]+\|\d+\|rt=\d+ /);
    expect(lines[0]).toContain('msg=a|b\\=c\\\\d "e", f\\r\\n\\=SUM(1)');
    expect(lines[0]).toContain('suser=ann');
  });

  it('writes events of ocsf with everything their class requires', async () => {
    const events = (await textOf('ocsf'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(LOG.length + 1);
    for (const event of events) {
      expect(event.type_uid).toBe(event.class_uid * 100 + event.activity_id);
      expect(Math.floor(event.class_uid / 1000)).toBe(event.category_uid);
      expect(event).toMatchObject({ time: expect.any(Number), severity_id: expect.any(Number) });
      expect(event.metadata).toMatchObject({ version: '1.3.0', product: { vendor_name: 'Hookline' } });
      if (event.class_uid === 6003)
        expect(event).toMatchObject({ actor: {}, api: { operation: 'Bash' }, src_endpoint: { hostname: 'laptop' } });
      else expect(event.entity).toMatchObject({ name: expect.any(String) });
    }
    expect(events[0]).toMatchObject({ action_id: 2, disposition_id: 2, status_id: 2 });
    expect(events[2]).toMatchObject({ class_uid: 3004, severity_id: 4 });
    expect(events[3]).toMatchObject({ disposition_id: 14 });
  });
});

/** Reads by the grammar of RFC 4180, and takes off the quote that keeps a cell from being a formula. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const row: string[] = [];
    for (;;) {
      const [whole, quoted, plain] = /"((?:[^"]|"")*)"|([^",\r\n]*)/y.exec(text.slice(at)) as RegExpExecArray;
      row.push(quoted === undefined ? (plain as string) : quoted.replaceAll('""', '"'));
      at += whole.length;
      if (text[at] !== ',') break;
      at++;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`The row ends with ${JSON.stringify(text.slice(at, at + 10))}.`);
    at += 2;
    rows.push(row);
  }
  return rows;
}
