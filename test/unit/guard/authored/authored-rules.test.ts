/** Rules of one's own apply to programs, hosts and other effects, only ever in addition to the rules of the guard. */
import { expect, test } from 'vitest';
import { type AuthoredRule, addUp, EFFECT_FACTS, lockedDown } from '../../../../src/core/contracts/guard-settings.ts';
import { guardCommand } from '../../../../src/guard/guard.ts';
import { withOverrides } from '../../../../src/guard/overrides.ts';
import { allRules } from '../../../../src/guard/rules/rulebook.ts';
import { guardTool } from '../../../../src/guard/tools/guard-tool.ts';

const rule = (match: AuthoredRule['match'], more: Partial<AuthoredRule> = {}): AuthoredRule => ({
  ...{ id: 'own', severity: 'high', match, reason: 'Does it ({host}).', instead: 'Do not.' },
  ...more,
});
const decide = (command: string, one: AuthoredRule): string =>
  guardCommand(command, { rules: [one] }).findings.find(({ rule: id }) => id === 'own')?.decision ?? 'none';

test('a program is found through wrappers, with its exceptions', () => {
  const deploy = rule({ effect: 'command', command: 'deployctl', verb: 'apply' }, { unless: [{ option: '--dry-run' }] });
  for (const command of ['deployctl apply', 'sudo env A=1 deployctl apply web', 'bash -c "deployctl apply"', 'D=deployctl; $D apply'])
    expect([command, decide(command, deploy)]).toEqual([command, 'deny']);
  for (const command of ['deployctl apply --dry-run', 'deployctl show', 'echo deployctl apply', 'git commit -m "deployctl apply"'])
    expect([command, decide(command, deploy)]).toEqual([command, 'none']);
});

test('a host is found in addresses, in words of network programs, in code and in the input of tools', () => {
  const production = rule({ effect: 'net.connect', host: ['*.prod.example', 'prod.example'] });
  for (const command of [
    'curl https://db.prod.example/x',
    'curl -s db.prod.example:8080/x',
    'ssh ann@db.prod.example ls',
    'git clone https://me:pw@prod.example/a.git',
    `python3 -c "import requests; requests.get('https://db.prod.example')"`,
    `node <<'X'\nfetch('https://DB.prod.example/')\nX`,
  ])
    expect([command, decide(command, production)]).toEqual([command, 'deny']);
  expect(decide('curl https://prod.example.org', production)).toBe('none');
  expect(guardTool('WebFetch', { url: 'https://db.prod.example/' }, { rules: [production] }).decision).toBe('deny');
  expect(guardTool('WebFetch', { url: 'https://example.org/' }, { rules: [production] }).decision).toBe('none');
});

test('an own rule never replaces a rule of the guard', () => {
  const lenient = rule({ effect: 'command', command: 'rm' }, { severity: 'low' });
  expect(guardCommand('rm -rf /', { rules: [lenient] }).decision).toBe('deny');
});

test("an override relaxes the user's own rule, and never one of the policy", () => {
  const deploy = rule({ effect: 'command', command: 'deployctl' });
  const overrides = [{ rule: 'own', reason: 'tonight', expires: '2999-01-01' }];
  const verdict = (rules: readonly AuthoredRule[]) =>
    withOverrides(guardCommand('deployctl apply', { rules }), { overrides, now: 0, home: '/home/ann' }).decision;
  expect(verdict([deploy])).toBe('none');
  expect(verdict(lockedDown({ rules: [deploy] }).rules ?? [])).toBe('deny');
});

test('two protections of one path add up to the stricter decision on each use', () => {
  const { protect } = addUp(
    { protect: { a: { write: 'deny', reason: 'first' } } },
    { protect: { a: { write: 'ask', read: 'ask', reason: 'second' } } },
  );
  expect(protect['a']).toEqual({ write: 'deny', read: 'ask', delete: 'deny', reason: 'second' });
});

test('while a rule cannot be used, a person is asked about every command and file, and about nothing else', () => {
  const options = { broken: ['settings.json:3:7: A rule needs a `reason` as text.'] };
  expect(guardTool('Bash', { command: 'ls' }, options)).toMatchObject({ decision: 'ask', findings: [{ rule: 'broken-rules' }] });
  expect(guardTool('Read', { file_path: 'a' }, options).findings[0]?.message).toContain('settings.json:3:7');
  expect(guardTool('TodoWrite', { todos: [] }, options).decision).toBe('none');
});

test('every effect that can be named is one that the guard reports', () => {
  const known = new Set(allRules().map(({ match }) => match.effect));
  expect(Object.keys(EFFECT_FACTS).filter((kind) => kind !== 'net.connect' && !known.has(kind))).toEqual([]);
});
