/** The library needs no other package, and importing it loads no engine. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));

test('the library reads files of every format and patterns of every kind away from any other package', () => {
  const deny = '#!/bin/sh\nexit 2\n';
  const nested = (command: string) => ({ hooks: { PreToolUse: [{ matcher: 'Json', hooks: [{ type: 'command', command }] }] } });
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': "---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: '^Y[a-z]{1,9}l$'\n---\n",
    '.agents/hooks/gate/scripts/run': deny,
    'hooks/gate/HOOK.toml':
      '[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "exit 2"\n\n[hook.conditions]\npattern = "^to?ml$"\n',
    '.claude/settings.json': JSON.stringify(nested('exit 2')),
    'skills/guarded/SKILL.md':
      '---\nname: guarded\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: hookline guard\n---\n',
    'agent.mjs': `
      import { createHookline } from './away/dist/index.js';
      const hookline = await createHookline({ root: process.cwd(), home: process.cwd() + '/home', trust: 'all' });
      const decisions = {};
      for (const [tool, input] of [['Yaml', {}], ['Tool', { text: 'toml' }], ['Json', {}], ['Bash', { command: 'rm -rf /' }], ['Free', {}]])
        decisions[tool] = (await hookline.fire('tool.before', { tool, input })).decision;
      await hookline.close();
      console.log(JSON.stringify(decisions));`,
  });
  mkdirSync(workspace.at('away'));
  for (const item of ['dist', 'package.json']) cpSync(path.join(PROJECT, item), path.join(workspace.at('away'), item), { recursive: true });
  const output = execFileSync(process.execPath, ['agent.mjs'], { cwd: workspace.at('.'), encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual({ Yaml: 'deny', Tool: 'deny', Json: 'deny', Bash: 'deny', Free: 'pass' });
});

test('importing the library loads little', () => {
  const index = path.join(PROJECT, 'dist/index.js');
  const imports = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?from "(\.\/[^"]+)"/gm)].map(([, found]) =>
      path.join(path.dirname(file), found ?? ''),
    );
  const loaded = new Set([index]);
  for (const file of loaded) for (const found of imports(file)) loaded.add(found);
  expect(loaded.size).toBeLessThanOrEqual(2);
  expect([...loaded].reduce((bytes, file) => bytes + readFileSync(file).length, 0)).toBeLessThan(40_000);
});

test('the licence of every package in the library and the program is next to them', () => {
  const licences = readFileSync(path.join(PROJECT, 'dist/licences.txt'), 'utf8');
  for (const name of ['chokidar', 'diff', 'jsonc-parser', 're2js', 'smol-toml', 'unbash', 'yaml'])
    expect(licences).toContain(`${name} ${devDependencies[name]} (`);
});
