/** A pack is on where the project shows that it uses its world, by names alone. */
import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../src/guard/guard.ts';
import { PACKS, packEvidence } from '../../../../src/guard/rules/compiled.ts';
import { evidenceIn } from '../../../../src/guard/rules/evidence.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const signs = Object.entries(packEvidence()).flatMap(([pack, all]) => all.map((sign) => ({ pack, sign })));

test.each(signs)('$sign shows the pack $pack and no other', ({ pack, sign }) => {
  const name = sign.replaceAll('*', 'x');
  const workspace = createWorkspace(sign.startsWith('$') ? {} : { [name]: '' });
  const env = sign.startsWith('$') ? { [sign.slice(1)]: '/a' } : {};
  const { packs } = evidenceIn(workspace.root, workspace.home, env);
  expect(packs).toEqual([{ pack, by: sign.startsWith('~') || sign.startsWith('$') ? sign : name }]);
});

test('every pack with evidence exists, and an empty project shows none', () => {
  expect(signs.length).toBeGreaterThan(30);
  expect(Object.keys(packEvidence()).filter((pack) => !PACKS.includes(pack))).toEqual([]);
  const workspace = createWorkspace({ 'src/main.tf.md': '', 'README.md': '' });
  expect(evidenceIn(workspace.root, workspace.home, {}).packs).toEqual([]);
  expect(evidenceIn(workspace.at('gone'), workspace.at('gone'), {}).packs).toEqual([]);
});

test('evidence that appears later is noticed', () => {
  const workspace = createWorkspace({ 'infra/a.txt': '' });
  const before = evidenceIn(workspace.root, workspace.home, {});
  expect([before.packs, before.isCurrent()]).toEqual([[], true]);
  workspace.write({ 'infra/main.tf': '' });
  // A file system may count in whole seconds.
  utimesSync(workspace.at('infra'), new Date(), new Date(Date.now() + 5000));
  expect(before.isCurrent()).toBe(false);
});

test('a pack that is on by evidence asks where the same pack denies by choice', () => {
  const command = 'kubectl delete pod web-1';
  expect(guardCommand(command).decision).toBe('none');
  expect(guardCommand(command, { shownPacks: ['kubernetes'] }).decision).toBe('ask');
  expect(guardCommand(command, { packs: ['kubernetes'], shownPacks: ['kubernetes'] }).decision).toBe('deny');
  expect(guardCommand(command, { shownPacks: ['kubernetes'], preset: 'strict' }).decision).toBe('deny');
});
