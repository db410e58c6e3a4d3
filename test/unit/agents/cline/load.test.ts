import { expect, test } from 'vitest';
import { clineHost } from '../../../../src/agents/cline/host.ts';
import { cline } from '../../../../src/agents/cline/index.ts';
import { load as loadFile } from '../../../../src/agents/cline/load.ts';
import { ENDINGS, profile } from '../../../../src/agents/cline/profile.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { checkPattern } from '../../../../src/engine/select/compile.ts';
import { parseProgram } from '../../../../src/load/formats/program.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/p q/.clinerules/hooks',
  folderName: 'hooks',
  idPrefix: 'cline:.clinerules/hooks/PreToolUse',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};

const load = (name: string, text: string, more: Partial<LoadContext> = {}): Loaded =>
  loadFile(parseProgram(`/p q/.clinerules/hooks/${name}`, text), { ...CONTEXT, ...more });

test('every event is a script of its name, in any case', () => {
  for (const event of Object.keys(profile.events)) {
    for (const name of [event, event.toLowerCase(), `${event}.sh`, `${event.toUpperCase()}.PY`])
      expect(load(name, '#!/bin/sh\n').hooks).toMatchObject([{ event, when: [] }]);
  }
});

test('a hook of a project runs at its root, and one of the user where the session is', () => {
  expect(load('PreToolUse', '').hooks).toMatchObject([
    { id: 'cline:.clinerules/hooks/PreToolUse#PreToolUse', name: '.clinerules/hooks/PreToolUse', cwd: '/p q', timeoutMs: 120_000 },
  ]);
  expect(load('PreToolUse', '', { scope: 'user' }).hooks[0]?.cwd).toBeUndefined();
});

test('need-not-be-executable: the first line names the interpreter, else the ending does', () => {
  const config = (name: string, text: string) => load(name, text).hooks[0]?.handler.config;
  const file = (name: string): string => `/p q/.clinerules/hooks/${name}`;
  expect(config('PreToolUse.js', '#!/usr/bin/env node\n')).toEqual({ script: file('PreToolUse.js'), viaShebang: true });
  const lines = ENDINGS.map((ending) => [ending, config(`PreToolUse${ending}`, 'x\n')?.['command']]);
  expect(Object.fromEntries(lines)).toEqual(
    Object.fromEntries(
      ENDINGS.map((ending) => {
        const program = /js$/.test(ending) ? 'node' : /ts$/.test(ending) ? 'bun run' : { '.py': 'python3', '.ps1': 'pwsh -File' }[ending];
        return [ending, `${program ?? 'bash'} '${file(`PreToolUse${ending}`)}'`];
      }),
    ),
  );
});

test("Hookline's own scripts are no hooks, and one that does more is", () => {
  for (const event of Object.keys(profile.events)) {
    for (const line of [`hookline hook cline ${event}`, `'/a b/hookline-hook' --installed '/h o/installed' cline ${event}`]) {
      const { value } = clineHost.entry.entry(event, line);
      expect(load(event, String(value)).hooks).toEqual([]);
      expect(load(event, `${value}./more-checks.sh\n`).hooks).toHaveLength(1);
    }
  }
  expect(load('PreToolUse', '#!/bin/sh\nexec hookline hook codex PreToolUse\n').hooks).toHaveLength(1);
});

test('only scripts of a known name and ending are found, and a misspelt one is told', async () => {
  const workspace = createWorkspace({
    '~/Documents/Cline/Hooks/PreToolUse': '',
    '~/.cline/hooks/posttooluse.PY': '',
    '.clinerules/hooks/TaskStart.sh': '',
    '.clinerules/hooks/PreToolUse.disabled': '',
    '.clinerules/hooks/lib.sh': '',
    '.clinerules/hooks/PreToolUse.d/x': '',
    '.cline/hooks/PreToolUs.sh': '',
  });
  const hookline = await workspace.open({ dialects: [cline.id] });
  expect((await hookline.list()).hooks.map(({ id }) => id)).toEqual([
    'cline:~/Documents/Cline/Hooks/PreToolUse#PreToolUse',
    'cline:~/.cline/hooks/posttooluse.PY#PostToolUse',
    'cline:.clinerules/hooks/TaskStart.sh#TaskStart',
  ]);
  expect(hookline.diagnostics.filter(({ code }) => code !== 'untrusted')).toMatchObject([
    { code: 'misspelt-file', file: workspace.at('.cline/hooks/PreToolUs.sh'), hint: 'Did you mean `PreToolUse.sh`?' },
  ]);
});

test('all-run: a script that cancels does not keep the next one from running', async () => {
  const cancel = (word: string): string => `#!/bin/sh\ntouch "$HOME/${word}"\necho '{"cancel": true, "errorMessage": "${word}"}'\n`;
  const workspace = createWorkspace({
    '~/Documents/Cline/Hooks/PreToolUse': cancel('first'),
    '~/.cline/hooks/PreToolUse.sh': cancel('second'),
  });
  const hookline = await workspace.open({ dialects: [cline.id] });
  const { decision, hooks } = await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  expect([decision, hooks.map(({ status }) => status)]).toEqual(['deny', ['answered', 'answered']]);
});
