/** The page of boundaries agrees with the code: every event of the five documents has a line that fires it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS, HOSTS } from '../../src/builtins.ts';
import type { SdkFacts } from '../../src/sdk/kit/capabilities.ts';
import { repository } from './pages.ts';
import { expectTable, namesCell } from './tables.ts';

const DOCUMENTS = ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'];
/** A call that fires a kind: of a boundary, of an engine, or of the entry of a turn. */
const FIRES = /(?:\b(?:cross|tell|fire)\(|\bby: )'([a-z.]+)'/g;

const sources = [...filesBelow('src/runtime'), 'src/sdk/kit/gate.ts', 'src/sdk/kit/model-gate.ts'];
const firedAt = new Map<string, string>();
for (const file of sources)
  for (const [index, line] of read(file).split('\n').entries())
    for (const [, kind = ''] of line.matchAll(FIRES)) if (!firedAt.has(kind)) firedAt.set(kind, `\`${file}:${index + 1}\``);

const adapters = await Promise.all(
  readdirSync(path.join(repository, 'src/sdk'))
    .filter((name) => name !== 'kit')
    .map(async (name) => {
      const { sdk } = (await import(path.join(repository, 'src/sdk', name, 'capabilities.ts'))) as { readonly sdk: SdkFacts };
      return { sdk, code: filesBelow(`src/sdk/${name}`).map(read).join('\n') };
    }),
);

test.each(DOCUMENTS)('every event of %s has a line that fires it, and the page names it', (id) => {
  const { profile } = AGENTS.find((agent) => agent.id === id)?.dialect ?? { profile: { events: {} } };
  const rows = Object.entries(profile.events).map(([event, { kinds }]) => [
    `\`${event}\``,
    namesCell(kinds),
    kinds.map((kind) => firedAt.get(kind) ?? 'nowhere').join(', '),
    namesCell(HOSTS.filter(({ id: host }) => kinds.some((kind) => hostFires(host, kind))).map((host) => host.id)),
    namesCell(adapters.filter((adapter) => kinds.some((kind) => fires(adapter, kind))).map(({ sdk }) => sdk.id)),
  ]);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(([, , at]) => at?.includes('nowhere'))).toEqual([]);
  expectTable('docs/boundaries.md', `\`${id}\``, rows);
});

function hostFires(id: string, kind: string): boolean {
  const { profile } = AGENTS.find((agent) => agent.id === id)?.dialect ?? { profile: { events: {} } };
  return Object.values(profile.events).some(({ kinds }) => kinds.some((one) => one === kind));
}

/** By the gates that all adapters share, or by code of its own. */
function fires({ sdk, code }: (typeof adapters)[number], kind: string): boolean {
  const { llmBefore, llmAfter, error } = sdk.capabilities;
  const can = (support: typeof error): boolean => typeof support === 'string' || 'partly' in support;
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
      return true;
    case 'tool.error':
      return can(error);
    case 'llm.before':
      return can(llmBefore);
    case 'llm.after':
      return can(llmAfter);
    default:
      return code.includes(`'${kind}'`);
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`);
}

function read(file: string): string {
  return readFileSync(path.join(repository, file), 'utf8');
}
