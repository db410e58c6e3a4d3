/** The page about SDKs agrees with the tables of capabilities: one column for each folder of src/sdk that has a table. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CAPABILITIES, type Capability, type SdkFacts, type Support } from '../../src/sdk/kit/capabilities.ts';
import { readPage, repository } from './pages.ts';
import { expectTable } from './tables.ts';

const folder = path.join(repository, 'src/sdk');
const names = readdirSync(folder).filter((name) => name !== 'kit' && existsSync(path.join(folder, name, 'capabilities.ts')));
const found = await Promise.all(
  names.map(async (name) => ((await import(path.join(folder, name, 'capabilities.ts'))) as { readonly sdk: SdkFacts }).sdk),
);
/** The loop of one's own is last, because it is for everybody else. */
const sdks = [...found.filter((sdk) => sdk.package), ...found.filter((sdk) => !sdk.package)];

function supportCell(support: Support): string {
  if (support === 'yes') return support;
  return 'no' in support ? `no: ${support.no}` : `partly: ${support.partly}`;
}

test('every adapter is named after its folder and has a page', () => {
  expect(found.map(({ id }) => id)).toEqual(names);
  expect(names.filter((name) => !existsSync(path.join(repository, 'docs/sdks', `${name}.md`)))).toEqual([]);
});

test('every page of an adapter has a complete agent of at most 30 lines, and an example', () => {
  const lines = sdks.map(({ id }) => {
    const agent = readPage(`docs/sdks/${id}.md`).blocks.find(({ file }) => file === 'agent.mjs');
    return agent ? agent.text.trimEnd().split('\n').length : Number.POSITIVE_INFINITY;
  });
  expect(lines.filter((count) => count > 30)).toEqual([]);
  const examples = sdks.filter((sdk) => sdk.package).map(({ id }) => path.join(repository, 'examples/sdks', id));
  expect(examples.filter((example) => !existsSync(example))).toEqual([]);
});

test('the example of `ai` is held, approved and resumed, each in a process of its own', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'hookline-example-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const start = (...args: string[]): string =>
    execFileSync(process.execPath, [path.join(repository, 'examples/sdks/ai/agent.mjs'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], AGENT_STATE: state },
    });
  expect(start()).toContain('waits for a person');
  expect(start('approve')).toContain('approved');
  expect(start().trim()).toBe('deployed to production');
});

test('the page has every adapter', () => {
  const rows = sdks.map(({ id, title, package: from, node }) => [
    from ? `[\`hookline/${id}\`](sdks/${id}.md)` : `[\`wrapTool\`](sdks/${id}.md)`,
    title,
    from ? `\`${from.name}\` ${from.versions}` : 'none',
    node,
  ]);
  expectTable('docs/sdks.md', 'Adapters', rows);
});

test('the page says what every adapter can do', () => {
  const rows = (Object.keys(CAPABILITIES) as Capability[]).map((one) => [
    CAPABILITIES[one],
    ...sdks.map(({ capabilities }) => supportCell(capabilities[one])),
  ]);
  expectTable('docs/sdks.md', 'Capabilities', rows, ['what hooks can rely on', ...sdks.map(({ id }) => `\`${id}\``)]);
});
