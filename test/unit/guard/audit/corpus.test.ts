/**
 * Hooks as people write them. The harmless ones are full of words that look like attacks: deny lists, messages, comments. None is refused.
 * The dangerous ones are refused, each at the statement that does it. Nothing is run.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeHandler } from '../../../../src/builtins.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import { auditHook } from '../../../../src/guard/index.ts';

const fixtures = path.join(import.meta.dirname, '../../../fixtures/audit');
const folder = mkdtempSync(path.join(tmpdir(), 'hookline-corpus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Sample {
  readonly name: string;
  readonly expected: readonly string[];
  readonly body: string;
}

function samplesIn(file: string): readonly Sample[] {
  const parts = readFileSync(path.join(fixtures, file), 'utf8')
    .split(/^#### (.+)\n/m)
    .slice(1);
  return parts.flatMap((head, i) => {
    const [name = '', ...expected] = head.split(' ');
    return i % 2 === 0 ? [{ name, expected, body: parts[i + 1] ?? '' }] : [];
  });
}

function refusalsOf({ name, body }: Sample) {
  const file = path.join(folder, name);
  writeFileSync(file, body);
  chmodSync(file, 0o755);
  const hook: Hook = {
    id: name,
    name,
    dialect: 'claude-code',
    event: 'PreToolUse',
    handler: { type: 'command', config: { command: `./${name}` } },
    source: { scope: 'project', file: path.join(folder, 'settings.json') },
    folder,
    timeoutMs: 1000,
  } as unknown as Hook;
  const { findings } = auditHook(hook, { describe: describeHandler, cwd: folder });
  return findings.filter(({ severity }) => severity === 'high' || severity === 'catastrophic');
}

const files = readdirSync(fixtures).filter((name) => name.endsWith('.txt'));
const harmless = files.filter((name) => name.startsWith('harmless')).flatMap(samplesIn);
const dangerous = files.filter((name) => name.startsWith('dangerous')).flatMap(samplesIn);

test('there are enough of both', () => {
  expect(harmless.length).toBeGreaterThanOrEqual(120);
  expect(dangerous.length).toBeGreaterThanOrEqual(40);
});

test.each(harmless)('$name is harmless and not refused', (sample) => {
  expect(refusalsOf(sample)).toEqual([]);
});

test.each(dangerous)('$name is refused at the statement that does it', (sample) => {
  const [rule, line] = sample.expected;
  const found = refusalsOf(sample);
  const lines = sample.body.split('\n');
  expect(found.map((one) => [one.rule, String(one.line)])).toContainEqual([rule, line]);
  for (const one of found) {
    expect(one.file).toBe(path.join(folder, sample.name));
    // Every refusal is at a statement of the file, and never at a comment.
    expect(lines[(one.line ?? 0) - 1]).toMatch(/^\s*[^\s#]/);
    expect(one.column).toBeGreaterThan(0);
  }
});
