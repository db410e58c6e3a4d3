/** Which findings keep a hook from running, and the words for them. */
import { expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Waiver } from '../../../src/core/contracts/waiver.ts';
import type { AuditedFinding } from '../../../src/guard/index.ts';
import { auditVerdict, blockingDiagnostics, findingDiagnostic, type Leniency } from '../../../src/trust/audit-verdict.ts';

const hook = (more: Partial<Hook> = {}): Hook => ({ id: 'd:f#gate', name: 'gate', ...more }) as Hook;
const finding = (severity: AuditedFinding['severity'], rule = severity as string, more: Partial<AuditedFinding> = {}): AuditedFinding =>
  ({ rule, severity, message: 'It does harm.', hint: 'Stop it.', file: '/r/run.sh', ...more }) as AuditedFinding;
const waiver = (more: Partial<Waiver> = {}): Waiver => ({ hook: 'gate', rules: ['high'], reason: 'known', expires: '2999-01-01', ...more });
const STRICT: Leniency = { allowSkip: false, waivers: [] };
const ALL = (['catastrophic', 'high', 'medium', 'low'] as const).map((severity) => finding(severity));
const blocked = (of: Hook, leniency: Partial<Leniency> = {}, findings: readonly AuditedFinding[] = ALL) =>
  auditVerdict(of, findings, { ...STRICT, ...leniency }, () => 'sha256:now').blocking.map(({ severity }) => severity);

test('catastrophic and high findings keep a hook from running, lesser ones do not', () => {
  expect(blocked(hook())).toEqual(['catastrophic', 'high']);
  expect(blocked(hook(), {}, [])).toEqual([]);
});

test('a hook that asks not to be audited is spared high findings, never catastrophic ones, and only if the user allows it', () => {
  expect(blocked(hook({ skipAudit: true }), { allowSkip: true })).toEqual(['catastrophic']);
  expect(blocked(hook({ skipAudit: true }))).toEqual(['catastrophic', 'high']);
  expect(blocked(hook({ skipAudit: false }), { allowSkip: true })).toEqual(['catastrophic', 'high']);
  expect(blocked(hook(), { allowSkip: true })).toEqual(['catastrophic', 'high']);
});

test.each(['gate', 'd:f#gate', 'sha256:now'])(
  'a waiver for %s accepts the high finding that it names, and no catastrophic one',
  (named) => {
    expect(blocked(hook(), { waivers: [waiver({ hook: named, rules: ['high', 'catastrophic'] })] })).toEqual(['catastrophic']);
  },
);

test.each([{ hook: 'other' }, { rules: ['low'] }, { expires: '2001-01-01' }, { hook: 'sha256:before' }])(
  'a waiver that does not hold accepts nothing (%j)',
  (change) => {
    expect(blocked(hook(), { waivers: [waiver(change)] })).toEqual(['catastrophic', 'high']);
  },
);

test('the verdict tells what still counts, what was waived and by which waiver', () => {
  const given = waiver();
  const verdict = auditVerdict(hook(), ALL, { ...STRICT, waivers: [given] }, () => '');
  expect(verdict.standing.map(({ severity }) => severity)).toEqual(['catastrophic', 'medium', 'low']);
  expect(verdict.waived).toEqual([{ finding: ALL[1], waiver: given }]);
});

const errors = (leniency: Partial<Leniency>) => {
  const of = hook();
  return blockingDiagnostics(
    of,
    auditVerdict(of, ALL, { ...STRICT, ...leniency }, () => ''),
  );
};

test('each finding that keeps a hook from running is an error that names the hook, the rule, the place and the way out', () => {
  const place = { line: 3, column: 7 };
  const of = hook();
  const found = [finding('high', 'exec-remote', place), finding('high', 'exec-decoded')];
  const said = blockingDiagnostics(
    of,
    auditVerdict(of, found, STRICT, () => ''),
  );
  expect(said).toStrictEqual([
    {
      severity: 'error',
      code: 'audit-exec-remote',
      file: '/r/run.sh',
      line: 3,
      column: 7,
      message: 'Hook `gate` does not run: It does harm.',
      hint: 'Stop it.',
    },
    {
      severity: 'error',
      code: 'audit-exec-decoded',
      file: '/r/run.sh',
      message: 'Hook `gate` does not run: It does harm.',
      hint: 'Stop it.',
    },
  ]);
});

test('an error tells of a waiver that expired, and of one that cannot accept it', () => {
  const plain = errors({}).map(({ hint }) => hint);
  expect(plain).toEqual(['Stop it.', 'Stop it.']);
  const late = errors({ waivers: [waiver({ expires: '2001-01-01' })] }).map(({ hint }) => hint);
  expect(late).toEqual(['Stop it.', expect.stringMatching(/^Stop it\. .*expired \(2001-01-01\)\.$/)]);
  const vain = errors({ waivers: [waiver({ rules: ['catastrophic'] })] }).map(({ hint }) => hint);
  expect(vain).toEqual([expect.stringMatching(/^Stop it\. .*waiver cannot.*\.$/), 'Stop it.']);
});

test('a finding is shown with the severity and the words it is given', () => {
  expect(findingDiagnostic('info', 'Hook `x`', finding('low'), ' Note.')).toStrictEqual({
    severity: 'info',
    code: 'audit-low',
    file: '/r/run.sh',
    message: 'Hook `x`: It does harm.',
    hint: 'Stop it. Note.',
  });
  expect(findingDiagnostic('info', 'Hook `x`', finding('low')).hint).toBe('Stop it.');
});
