/** A misspelt key is told in every format, with the key that was meant: `matchr` would otherwise make a hook run for every tool. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** A group of the shape that many agents share, with one misspelt key at each level. */
function groups(event: string): string {
  const group = { matchr: 'Bash', hooks: [{ type: 'command', command: 'true', timeot: 5 }] };
  return JSON.stringify({ hooks: { [event]: [group] } });
}

interface Misspelt {
  readonly files: Readonly<Record<string, string>>;
  /** The keys that were meant. */
  readonly meant: readonly string[];
}

const SKILL = `---
name: s
description: d
hooks:
  PreToolUse:
    - matchr: Bash
      hooks:
        - type: command
          command: "true"
          timeot: 5
        - type: http
          url: http://127.0.0.1:9/
          header: {}
---
`;

const FILES: Readonly<Record<string, Misspelt>> = {
  skillkit: { files: { 'skills/s/SKILL.md': SKILL }, meant: ['matcher', 'timeout', 'headers'] },
  'claude-agent': {
    files: {
      '.claude/settings.json': JSON.stringify({
        hooks: {
          preToolUse: { check: { command: 'true', matchr: 'Bash', timeout_sec: 3 } },
          postToolUse: [{ matchr: 'Bash', hooks: [{ type: 'command', command: 'true', timeot: 5, extra_enf: {} }] }],
        },
      }),
    },
    meant: ['matcher', 'timeout_secs', 'matcher', 'timeout', 'extra_env'],
  },
  agenthooks: {
    files: {
      '.agents/hooks/h/HOOK.md': '---\nname: h\ndescription: d\ntrigger: before_tool\ntimeot: 1000\nmatcher:\n  tol: Bash\n---\n',
      '.agents/hooks/h/scripts/run.sh': '#!/bin/sh\n',
    },
    meant: ['timeout', 'tool'],
  },
  hooktoml: {
    files: {
      'hooks/h/HOOK.toml':
        '[hook]\nname = "h"\nevent = "before_tool_call"\npriorty = 1\n[hook.action.shell]\ncommand = "true"\nworkdr = "x"\n[hook.conditions]\npatern = "x"\n',
    },
    meant: ['priority', 'workdir', 'pattern'],
  },
  arawn: {
    files: { 'plugins/p/.claude-plugin/plugin.json': '{"name": "p"}', 'plugins/p/hooks/hooks.json': groups('PreToolUse') },
    meant: ['matcher', 'timeout'],
  },
  'claude-code': { files: { '.claude/settings.json': groups('PreToolUse') }, meant: ['matcher', 'timeout'] },
  qwen: { files: { '.qwen/settings.json': groups('PreToolUse') }, meant: ['matcher', 'timeout'] },
  'gemini-cli': { files: { '.gemini/settings.json': groups('BeforeTool') }, meant: ['matcher', 'timeout'] },
  codex: { files: { '.codex/hooks.json': groups('PreToolUse') }, meant: ['matcher', 'timeout'] },
  copilot: {
    files: {
      '.github/hooks/h.json': JSON.stringify({
        version: 1,
        hooks: { preToolUse: [{ matchr: 'bash', hooks: [{ type: 'command', bash: 'true', timeotSec: 5 }] }] },
      }),
    },
    meant: ['matcher', 'timeoutSec'],
  },
  cursor: {
    files: { '.cursor/hooks.json': JSON.stringify({ version: 1, hooks: { preToolUse: [{ command: 'true', matchr: 'Shell' }] } }) },
    meant: ['matcher'],
  },
  windsurf: {
    files: { '.windsurf/hooks.json': JSON.stringify({ hooks: { pre_run_command: [{ command: 'true', show_outputs: true }] } }) },
    meant: ['show_output'],
  },
  droid: {
    files: {
      '.factory/hooks.json': JSON.stringify({
        PreToolUse: [{ matchr: 'Execute', hooks: [{ type: 'command', command: 'true', timeot: 5 }] }],
      }),
    },
    meant: ['matcher', 'timeout'],
  },
  hookline: {
    files: {
      '.hookline/hooks/a.sh': '# hookline: { on: tool.before, matchr: { tool: Bash } }\n',
      '.hookline/hooks/b.sh': '# hookline: { on: tool.before, match: { tol: Bash } }\n',
    },
    meant: ['match', 'tool'],
  },
  kimi: {
    files: { '~/.kimi-code/config.toml': '[[hooks]]\nevent = "PreToolUse"\nmatchr = "Bash"\ncommand = "true"\ntimeot = 5\n' },
    meant: ['matcher', 'timeout'],
  },
};

test.each(Object.entries(FILES))('%s', async (id, { files, meant }) => {
  const { diagnostics } = await createWorkspace(files).open({ dialects: [id] });
  const told = diagnostics.filter(({ code }) => code === 'unknown-field').map(({ hint, line }) => [hint, typeof line]);
  expect(told.toSorted()).toEqual(meant.map((key) => [`Did you mean \`${key}\`?`, 'number']).toSorted());
});

test('every format with keys in files of its own is in the table', () => {
  const own = AGENTS.filter(({ places }) =>
    places.some(({ read, format, kind }) => read === 'always' && format !== 'program' && kind !== 'code'),
  );
  expect(own.map(({ id }) => id).filter((id) => !Object.hasOwn(FILES, id))).toEqual([]);
});
