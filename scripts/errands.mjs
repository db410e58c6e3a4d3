// Runs the built program on its most common errands and keeps what V8 compiled for them: what is kept need not be compiled at a cold start.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Matchers of the kinds that people write; none of them is for the tool that is used. */
const MATCHERS = [
  { tool: 'Write|Edit' },
  { tool: '^Bash$' },
  { tool: 'mcp__.*' },
  { tool: 'Bash', pattern: 'rm -rf /|git push --force' },
  { tool: 'Write|Edit', pattern: '\\.pem$' },
];

/** One file of each format. */
const GROUPS = { hooks: { PreToolUse: [{ matcher: 'Write|Edit', hooks: [{ type: 'command', command: 'node -e 0' }] }] } };
const FILES = {
  '.claude/settings.json': { hooks: { ...GROUPS.hooks, stop: ['node -e 0'] } },
  '.codex/hooks.json': GROUPS,
  '.codex/config.toml': 'model = "m"\n',
  '.qwen/settings.json': GROUPS,
  '.gemini/settings.json': { hooks: { BeforeTool: GROUPS.hooks.PreToolUse } },
  '.copilot/hooks/a.json': { version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'node -e 0' }] } },
  '.cursor/hooks.json': { version: 1, hooks: { stop: [{ command: 'node -e 0' }] } },
  '.codeium/windsurf/hooks.json': { hooks: { post_write_code: [{ command: 'node -e 0' }] } },
  'skills/a/SKILL.md': '---\nname: a\nhooks: { Stop: [{ hooks: [{ type: command, command: node -e 0 }] }] }\n---\n',
  'hooks/a/HOOK.toml': '[hook]\nname = "a"\nevent = "tool_after"\n[action]\ntype = "shell"\ncommand = "node -e 0"\n',
  'plugins/a/.claude-plugin/plugin.json': {
    name: 'a',
    hooks: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'node -e 0' }] }] } },
  },
};

export function keepCompiledCode(cli) {
  const project = mkdtempSync(path.join(tmpdir(), 'hookline-build-'));
  const write = (file, content) => {
    const target = path.join(project, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const hook = (name, matcher) => {
    const lines = Object.entries(matcher).map(([key, value]) => `  ${key}: '${value}'\n`);
    const front = `name: ${name}\ndescription: One.\ntrigger: before_tool\ntimeout: 5000\npriority: 5\nmatcher:\n${lines.join('')}`;
    write(`named/${name}/HOOK.md`, `---\n${front}---\n\n# ${name}\n`);
    write(`named/${name}/scripts/run.sh`, '#!/bin/sh\nexit 0\n');
  };
  for (const [at, matcher] of MATCHERS.entries()) hook(`hook-${at}`, matcher);
  const places = ['--root', project, '--home', project, '--hooks', path.join(project, 'named')];
  const fire = ['fire', 'tool.before', '--tool', 'Glob', '--input', '{"pattern":"*"}', '--json', ...places];
  const payload = (tool_name, tool_input) =>
    JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: project, tool_name, tool_input, tool_use_id: 'u' });

  // The common ones first: what is kept for a bundle stays, so that it holds what they need and little else.
  keep(cli, fire);
  keep(cli, ['hook', 'claude-code', ...places], payload('Glob', { pattern: '*' }));
  keep(cli, ['guard', '--home', project], '{"tool":"Bash","input":{"command":"ls -l | grep a > b.txt && git status"}}');
  // Then what some of them meet: a hook that runs, the guard as a hook, a real regular expression, every format.
  const gate = (command) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } });
  for (const command of ['node -e 0', 'hookline guard']) {
    write('.claude/settings.json', gate(command));
    keep(cli, ['hook', 'codex', ...places], payload('Bash', { command: 'ls -l | grep a > b.txt && git status' }));
  }
  hook('regular', { tool: '^(Task|Agent)_[a-z]+_\\d{1,3}$' });
  for (const [file, content] of Object.entries(FILES)) write(file, content);
  keep(cli, fire);
  rmSync(project, { recursive: true });
}

function keep(cli, errand, input = '') {
  const code = `
    const { load, scripts } = require(${JSON.stringify(path.join(cli, 'start.js'))});
    const { existsSync, writeFileSync } = require('node:fs');
    process.argv = [process.execPath, 'hookline', ...${JSON.stringify(errand)}];
    process.on('exit', () => {
      for (const [file, script] of scripts) if (!existsSync(file + '.cache')) writeFileSync(file + '.cache', script.createCachedData());
    });
    load('main.js');`;
  execFileSync(process.execPath, ['-e', code], { input, stdio: ['pipe', 'ignore', 'inherit'] });
}
