/** The log for other programs: every format has every entry, and a file of it proves itself on another machine. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGate, type Gate } from './gate.ts';

async function twoDecisions(): Promise<Gate> {
  const gate = createGate();
  await gate.fire('ls');
  await gate.fire('rm -r x');
  return gate;
}

async function exported(gate: Gate, ...argv: string[]): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await gate.run('log', 'export', ...argv);
  expect([exit, stderr]).toEqual([0, '']);
  return stdout.trimEnd().split('\n');
}

describe('a file', () => {
  test('verifies on another machine with its public key, and with no other', async () => {
    const gate = await twoDecisions();
    const file = path.join(gate.workspace.root, 'audit.ndjson');
    expect((await gate.run('log', 'export', '--output', file)).exit).toBe(0);
    const key = (await gate.run('log', 'key')).stdout.trim();
    const elsewhere = createGate();
    const proven = await elsewhere.run('log', 'verify', file, '--key', key, '--json');
    expect([proven.exit, JSON.parse(proven.stdout)]).toMatchObject([0, { ok: true, entries: 2, problems: [] }]);
    const unproven = await elsewhere.run('log', 'verify', file);
    expect(unproven.exit).toBe(1);
    expect(unproven.stdout).toContain(key);
  });

  test('that lacks an entry, or ends early, is refused with the line', async () => {
    const gate = await twoDecisions();
    const lines = await exported(gate);
    const file = path.join(gate.workspace.root, 'audit.ndjson');
    for (const [name, left] of [
      ['an entry', lines.filter((line) => !line.startsWith('{"seq":1,'))],
      ['the end', lines.slice(0, -2)],
    ] as const) {
      writeFileSync(file, left.join('\n'));
      const { exit, stdout } = await gate.run('log', 'verify', file);
      expect([name, exit]).toEqual([name, 1]);
      expect(stdout).toMatch(/Line \d+: /);
    }
  });

  test('is never written over another one', async () => {
    const gate = await twoDecisions();
    const file = path.join(gate.workspace.root, 'kept');
    writeFileSync(file, 'mine');
    expect((await gate.run('log', 'export', '--output', file)).exit).toBe(64);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

test('an export continues where an earlier one ended', async () => {
  const gate = await twoDecisions();
  const [opening = '', ...rest] = await exported(gate, '--after', '1');
  expect(JSON.parse(opening)).toMatchObject({ hookline: 'log', anchor: { seq: 1 } });
  expect(rest.filter((line) => line.startsWith('{"seq":')).map((line) => JSON.parse(line).seq)).toEqual([2]);
});

test.each(['csv', 'cef', 'ocsf'])('%s has every entry', async (format) => {
  const gate = await twoDecisions();
  const lines = await exported(gate, '--format', format);
  const ids = ((await gate.json('log'))['entries'] as readonly { id: string }[]).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(lines.filter((line) => line.includes(id))).toHaveLength(1);
});

test('a format that does not exist gets a clear error', async () => {
  const { exit, stderr } = await createGate().run('log', 'export', '--format', 'cvs');
  expect(exit).toBe(64);
  expect(stderr).toContain('csv');
});
