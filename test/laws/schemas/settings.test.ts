/** The schema of Hookline's own settings agrees with their loader: an editor marks what the loader reports, and nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/core/values/json.ts';
import { schema } from '../../../src/load/settings/schema.ts';
import { readSettings } from '../../../src/load/settings/settings.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { mutants, undescribed } from './mutants.ts';

const GOOD: Json = {
  dialects: ['codex'],
  readAs: { 'claude-code': 'codex' },
  strict: true,
  maxHooks: 3,
  audit: { allowSkip: false, waivers: [{ hook: 'gate', rules: ['exec-remote'], reason: 'mine', expires: '2030-01-31' }] },
  trust: { ignores: ['logs/**'] },
  log: { record: 'all', onFailure: 'deny', keepDays: 9, checkpoints: { file: '/x', webhook: { url: 'https://x.invalid' }, store: 's' } },
  approvals: { denials: 'forget', unattended: true },
  notify: [{ type: 'desktop' }, { type: 'command', command: 'x' }, { type: 'webhook', url: 'https://x.invalid', secret: 's' }],
  interactive: 'never',
  store: 'sqlite:x',
  required: ['gate'],
  onError: { gate: 'deny' },
  shadow: ['gate'],
  environment: { policy: 'allow', names: ['A_*'] },
  http: { allowAddresses: ['10.0.0.0/8'] },
  markContext: true,
  guard: {
    preset: 'strict',
    packs: ['cloud'],
    overrides: [{ rule: 'git-discard', command: 'git *', path: 'a', reason: 'generated', expires: '2030-12-31' }],
    protect: {
      '.env': {
        read: 'ask',
        write: 'deny',
        delete: 'deny',
        reason: 'mine',
        instead: 'ask Ann',
        tests: { block: ['rm .env'], allow: ['ls'] },
      },
    },
    rules: [
      'rules.yaml',
      {
        id: 'no-production',
        severity: 'high',
        match: { effect: 'net.connect', host: ['*.prod.example'], command: 'curl' },
        unless: [{ command: 'ping' }],
        reason: 'Connects to production.',
        instead: 'Use staging.',
        tests: { block: ['curl https://a.prod.example'], allow: ['curl https://a.example'] },
      },
    ],
  },
  judge: { model: 'a:b', maxTokens: 5, maxEventBytes: 5, maxSteps: 5, budget: { tokens: 5, money: 1 }, prices: { input: 1, output: 2 } },
  doctor: { ignore: ['codex'] },
  agent: { model: 'a:b' },
};
/** Problems that need more than the form: the loader knows the days, the models that can be paid, and the formats. */
const BEYOND_FORM = new Set(['unknown-dialect', 'deprecated', 'bad-judge']);

const accepts = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false }).compile(schema());

type Loaded = (value: Json) => Promise<readonly { readonly code: string; readonly message: string }[]>;

/** Returns what the loader reports about settings in the configuration of a user. */
const loader =
  (workspace: Workspace): Loaded =>
  async (value) => {
    const folder = path.join(workspace.at('~/.config'), 'hookline');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(value, null, 1));
    return (await readSettings(workspace.at('~/.config'))).diagnostics;
  };

test('every setting of the schema has a description', () => expect(undescribed(schema())).toEqual([]));

test('settings that use everything are read without a word, and fit the schema', async () => {
  const problemsOf = loader(createWorkspace());
  expect([await problemsOf(GOOD), accepts(GOOD), accepts.errors]).toEqual([[], true, null]);
});

test('the schema refuses what the loader reports and accepts what it reads without a word, in every place', async () => {
  const problemsOf = loader(createWorkspace());
  const wrong: string[] = [];
  let refused = 0;
  for (const { change, value } of mutants(GOOD)) {
    const problems = (await problemsOf(value)).filter(({ code }) => !BEYOND_FORM.has(code));
    const isAccepted = accepts(value);
    if (!isAccepted) refused++;
    if (problems.length > 0 && isAccepted) wrong.push(`accepted: ${change}: ${problems[0]?.message}`);
    if (problems.length === 0 && !isAccepted && (await problemsOf(value)).length === 0) wrong.push(`refused: ${change}`);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(200);
});
