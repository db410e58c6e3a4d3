import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/agenthooks/load.ts';
import type { Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/agenthooks');

async function loadText(text: string, folderName: string): Promise<Loaded> {
  return load(await parseFrontmatter('HOOK.md', text), {
    scope: 'user',
    folder: `/h/${folderName}`,
    folderName,
    idPrefix: 'p',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: () => ({ kind: 'file', executable: true }),
  });
}

describe("the document's own examples load", () => {
  test.each([
    ['block-dangerous-commands', { event: 'before_tool', timeoutMs: 5000, priority: 999, detach: false }],
    ['auto-format-python', { event: 'after_tool', timeoutMs: 30_000, priority: 100, detach: true }],
    ['block-prod-deploy', { event: 'before_tool', timeoutMs: 60_000, detach: false }],
    ['audit-log', { event: 'session_end', detach: true }],
    ['enforce-test-coverage', { event: 'before_stop', timeoutMs: 120_000, priority: 999 }],
    ['enforce-tests', { event: 'before_stop', timeoutMs: 60_000, priority: 999 }],
  ])('%s', async (name, wanted) => {
    const { hooks, diagnostics } = await loadText(readFileSync(join(FIXTURES, name, 'HOOK.md'), 'utf8'), name);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(hooks[0]).toMatchObject({ name, ...wanted });
  });

  test('and so does every matcher it shows', async () => {
    const matchers = readFileSync(join(FIXTURES, 'matchers.yaml'), 'utf8').trim().split('\n\n');
    const sources: string[][] = [];
    for (const matcher of matchers) {
      const { hooks } = await loadText(`---\nname: gate\ndescription: d\ntrigger: before_tool\n${matcher}\n---\n`, 'gate');
      sources.push(
        (hooks[0]?.when ?? []).map(({ test: { kind, ...rest } }) => (kind === 'pattern' && 'source' in rest ? rest.source : '')),
      );
    }
    expect(sources).toEqual([
      ['Shell'],
      ['WriteFile', '\\.(py|js|ts)$'],
      ['Shell', '(rm -rf|mkfs|dd if=/dev/zero)'],
      ['/etc/passwd|/var/www'],
    ]);
  });

  test('and their scripts can be run', () => {
    for (const name of ['block-dangerous-commands', 'enforce-test-coverage']) {
      expect(statSync(join(FIXTURES, name, 'scripts/run.sh')).mode & 0o100).not.toBe(0);
    }
  });
});
