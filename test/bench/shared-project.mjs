// A project with 55 hooks in several formats that share 76 files: scripts in shell, Python and JavaScript that call one another.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from './sample-project.mjs';

const FILES = 76;
const HOOKS = 55;
const LINES = 86;

/** Returns the folder of the project. With another number the texts are others. */
export function sharedProject(number = 0) {
  const root = folder(`shared-${number}`);
  const write = (name, text, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text, { mode });
  };
  for (let i = 0; i < FILES; i++) write(nameOf(i), textOf(i, number), 0o755);
  const commands = Array.from({ length: HOOKS }, (_, i) => `"$CLAUDE_PROJECT_DIR"/${nameOf(i % FILES)} --case ${i}`);
  write('.claude/settings.json', JSON.stringify({ hooks: groups(commands.slice(0, 25)) }, null, 2));
  write('.codex/hooks.json', JSON.stringify({ hooks: groups(commands.slice(25, 35).map(plain)) }, null, 2));
  for (const [i, command] of commands.slice(35, 45).entries()) write(`.agents/hooks/h${i}/HOOK.md`, hookMd(`h${i}`, plain(command)));
  for (const [i, command] of commands.slice(45).entries()) write(`hooks/t${i}/HOOK.toml`, hookToml(`t${i}`, plain(command)));
  return root;
}

const plain = (command) => command.replace('"$CLAUDE_PROJECT_DIR"/', './');
const KINDS = ['sh', 'sh', 'py', 'js'];
const nameOf = (i) => `scripts/part${i}.${KINDS[i % KINDS.length]}`;

function groups(commands) {
  return { PreToolUse: commands.map((command, i) => ({ matcher: `Tool${i}`, hooks: [{ type: 'command', command }] })) };
}

function hookMd(name, command) {
  return `---\nname: ${name}\ndescription: Checks one case.\ntrigger: before_tool\nmatcher:\n  tool: ^${name}$\nmetadata:\n  command: ${command}\n---\n`;
}

function hookToml(name, command) {
  return `[hook]\nname = "${name}"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "${command}"\n`;
}

/** Each file calls the next ones of its own language, and sometimes one of another. */
function textOf(i, number) {
  const next = [i + 12, i + 24].filter((other) => other < FILES);
  const across = i % 5 === 0 && i + 1 < FILES ? [i + 1] : [];
  const kind = KINDS[i % KINDS.length];
  if (kind === 'sh') return shell(i, next, across, number);
  return kind === 'py' ? python(i, next, across, number) : javascript(i, next, across, number);
}

const rows = (text) => Array.from({ length: Math.floor(LINES / 8) }, (_, row) => text(row)).join('\n');

function shell(i, next, across, number) {
  const calls = [...next.map((n) => `. "$here/part${n}.sh"`), ...across.map((n) => `"$here/${path.basename(nameOf(n))}" "$1"`)];
  return `#!/bin/sh
set -eu
here=$(CDPATH= cd "$(dirname "$0")" && pwd)
${calls.join('\n')}
${rows(
  (row) => `check_${i}_${row}() {
  value=\${1:-${number}}
  case $value in
    *.${row}) echo "case ${i} $value" | sed 's/a/b/' ;;
    *) printf '%s\\n' "$value" >> "\${TMPDIR:-/tmp}/case-${i}-${row}.log" ;;
  esac
  [ -f "$here/list" ] && grep -c "$value" "$here/list" || true
}`,
)}
check_${i}_0 "$@"
`;
}

function python(i, next, across, number) {
  const imports = next.filter((n) => KINDS[n % KINDS.length] === 'py').map((n) => `import part${n}`);
  const calls = across.map((n) => `subprocess.run(["scripts/${path.basename(nameOf(n))}", "x"], check=True)`);
  return `#!/usr/bin/env python3
import json, os, subprocess, sys
${imports.join('\n')}
${rows(
  (row) => `def check_${i}_${row}(event):
    tool = event.get("tool", "${number}")
    data = {"tool": tool, "case": [${row}, ${i}, "a${row}"]}
    if tool.startswith("x${row}"):
        print(json.dumps(data))
        return True
    path = os.path.join("data", "case-${i}-${row}.json")
    return os.path.exists(path)`,
)}
${calls.join('\n')}
sys.exit(0 if check_${i}_0(json.load(sys.stdin)) else 0)
`;
}

function javascript(i, next, across, number) {
  const imports = next.map((n) => `const part${n} = require('./part${n}.js');`);
  const calls = across.map((n) => `execFileSync('./scripts/${path.basename(nameOf(n))}', ['x']);`);
  return `#!/usr/bin/env node
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
${imports.join('\n')}
${rows(
  (row) => `function check_${i}_${row}(event) {
  const tool = event.tool ?? '${number}';
  const data = { tool, list: [${row}, ${i}, 'a${row}'] };
  if (tool.startsWith('x${row}')) {
    console.log(JSON.stringify(data));
    return true;
  }
  return readFileSync('data/case-${i}-${row}.json', 'utf8').includes(tool);
}`,
)}
${calls.join('\n')}
module.exports = { check_${i}_0 };
`;
}
