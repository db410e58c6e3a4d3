/** The structure that the SARIF 2.1.0 specification demands, checked by hand: required properties, their types, and the places they refer to. */
import { expect, test } from 'vitest';
import { sarifLog } from '../../../../src/cli/hooks/sarif.ts';
import type { AuditedFinding } from '../../../../src/guard/index.ts';
import type { HookAudit } from '../../../../src/trust/audit-hooks.ts';

const ROOT = '/home/ann/my project';
const finding = (extra: Partial<AuditedFinding> = {}): AuditedFinding => ({
  rule: 'delete-root',
  severity: 'catastrophic',
  message: 'Deletes the root.',
  hint: 'Do not.',
  text: 'rm -rf /',
  file: `${ROOT}/hooks/ä b/run.sh`,
  line: 3,
  column: 5,
  ...extra,
});
const audit = (findings: readonly AuditedFinding[], waived: HookAudit['waived'] = []): HookAudit => ({
  hook: {
    id: 'hooktoml:hooks/x/HOOK.toml#x',
    name: 'x',
    dialect: 'hooktoml',
    event: 'e',
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: `${ROOT}/hooks/x/HOOK.toml`, scope: 'project' },
  },
  digest: 'sha256:0',
  files: [],
  covers: { files: [], folders: [], leftOut: [], unknown: [] },
  findings,
  unaudited: [],
  waived,
  blocking: [],
  errors: [],
});

interface Log {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly version: string; readonly rules: readonly Rule[] } };
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly toolExecutionNotifications: readonly { readonly level: string }[];
    }[];
    readonly originalUriBaseIds: Readonly<Record<string, { readonly uri: string }>>;
    readonly results: readonly Result[];
  }[];
}
interface Rule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly defaultConfiguration: { readonly level: string };
  readonly properties: Readonly<Record<string, unknown>>;
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
      readonly region?: { readonly startLine: number; readonly startColumn?: number };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly { readonly kind: string; readonly justification: string }[];
}
/** As it is read by others: through JSON. */
const log = (...args: Parameters<typeof sarifLog>): Log => JSON.parse(JSON.stringify(sarifLog(...args)));
const run = (audits: readonly HookAudit[]) => log(audits, [], ROOT).runs[0] as Log['runs'][number];

test('a log has its version, one run, a named tool, and a described rule for every result', () => {
  const waiver = { hook: 'x', rules: ['hook-network'], reason: 'known', expires: '2030-01-01' };
  const lesser = finding({ rule: 'hook-network', severity: 'medium' });
  const document = log(
    [audit([finding(), finding({ line: 9 })], [{ finding: lesser, waiver }]), audit([finding({ rule: 'x', severity: 'low' })])],
    [],
    ROOT,
  );
  expect(document.version).toBe('2.1.0');
  expect(document.$schema).toMatch(/^https:\/\/.*sarif.*2\.1\.0/);
  expect(document.runs).toHaveLength(1);
  const { tool, results } = document.runs[0] as Log['runs'][number];
  expect(tool.driver.name).toBe('Hookline');
  expect(tool.driver.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(results).toHaveLength(4);
  for (const { ruleId, ruleIndex, level, message } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(['none', 'note', 'warning', 'error']).toContain(level);
    expect(message.text).not.toBe('');
  }
  for (const { id, shortDescription, help, defaultConfiguration, properties } of tool.driver.rules) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(shortDescription.text).toMatch(/\S/);
    expect(help.text).toMatch(/\S/);
    expect(['note', 'warning', 'error']).toContain(defaultConfiguration.level);
    expect(Number(properties['security-severity'])).toBeGreaterThan(0);
    expect(properties['security-severity']).toBeTypeOf('string');
  }
  expect(new Set(tool.driver.rules.map(({ id }) => id)).size).toBe(tool.driver.rules.length);
  expect(results.map(({ suppressions }) => suppressions?.map(({ kind }) => kind))).toEqual([undefined, undefined, ['external'], undefined]);
});

test('severities become levels and scores', () => {
  const { tool, results } = run([
    audit([
      finding({ rule: 'a' }),
      finding({ rule: 'b', severity: 'high' }),
      finding({ rule: 'c', severity: 'medium' }),
      finding({ rule: 'd', severity: 'low' }),
    ]),
  ]);
  expect(results.map(({ level }) => level)).toEqual(['error', 'error', 'warning', 'note']);
  expect(tool.driver.rules.map(({ properties }) => properties['security-severity'])).toEqual(['9.8', '8.0', '5.0', '2.0']);
});

test('places are seen from the project, as URIs; what is elsewhere is absolute', () => {
  const { line: _, column: __, ...placeless } = finding({ file: '/home/ann/.claude/settings.json' });
  const { results, originalUriBaseIds } = run([audit([finding(), placeless])]);
  const [inside, outside] = results.map(({ locations }) => locations[0]?.physicalLocation);
  expect(inside).toEqual({
    artifactLocation: { uri: 'hooks/%C3%A4%20b/run.sh', uriBaseId: 'PROJECT' },
    region: { startLine: 3, startColumn: 5 },
  });
  expect(outside).toEqual({ artifactLocation: { uri: 'file:///home/ann/.claude/settings.json' } });
  expect(originalUriBaseIds['PROJECT']?.uri).toBe('file:///home/ann/my%20project/');
});

test('a fingerprint survives lines that move, and tells equal findings apart', () => {
  const prints = (findings: readonly AuditedFinding[]) =>
    run([audit(findings)]).results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0]);
  expect(prints([finding()])).toEqual(prints([finding({ line: 77 })]));
  expect(new Set(prints([finding(), finding({ line: 4 }), finding({ text: 'other' }), finding({ rule: 'other' })])).size).toBe(4);
});

test('what could not be read is a notification, and the run is no success', () => {
  const broken = { severity: 'error', code: 'invalid-json', file: `${ROOT}/x.json`, line: 1, message: 'Broken.' } as const;
  const { invocations } = log([], [broken], ROOT).runs[0] as Log['runs'][number];
  expect(invocations).toMatchObject([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', descriptor: { id: 'invalid-json' }, message: { text: 'Broken.' } }],
    },
  ]);
});
