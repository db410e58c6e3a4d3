/** A hook without a name is called by what it runs. Names are telling, differ within a file, and the old ones still count. */
import { describe, expect, test } from 'vitest';
import { handlerLabel, nameFor } from '../../../src/agents/kit/hook-names.ts';
import { AGENTS } from '../../../src/builtins.ts';
import type { MapNode } from '../../../src/core/values/document.ts';
import { findHooks } from '../../../src/load/check-files.ts';
import { hookDigest } from '../../../src/trust/hook-digest.ts';
import { createWorkspace } from '../../support/workspace.ts';

const at = { line: 1, column: 1 };
const described = (description: string): MapNode => ({
  kind: 'map',
  at,
  entries: [{ key: 'description', at, value: { kind: 'scalar', at, value: description } }],
});
const nameOf = (command: string, description?: string, matcher?: string): string =>
  nameFor(undefined, {
    handler: { type: 'command', config: { command } },
    event: 'PreToolUse',
    ...(matcher !== undefined && { matcher: { source: matcher } }),
    ...(description !== undefined && { described: [described(description)] }),
  }).name;

describe('the name is that of the script that runs', () => {
  test.each([
    ['./guard.sh', 'guard.sh'],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh --fast', 'check.sh'],
    ['uv run "$CLAUDE_PROJECT_DIR"/hooks/lint.py', 'lint.py'],
    ['uv run --quiet hooks/lint.py', 'lint.py'],
    ['bun run .claude/hooks/stop.ts', 'stop.ts'],
    ['bun .claude/hooks/stop.ts', 'stop.ts'],
    ['# run the guard\n./guard.sh', 'guard.sh'],
    ['if [ -f ./guard.sh ]; then ./guard.sh; fi', 'guard.sh'],
    ['[ -x hooks/a.py ] && python3 hooks/a.py || true', 'a.py'],
    ['echo start; node hooks/run.mjs pre', 'run.mjs'],
    ['cd "$CLAUDE_PROJECT_DIR" && bash scripts/format', 'format'],
    [`bash -c 'cd x && ./inner.sh'`, 'inner.sh'],
    ['A=1 B="x y" timeout 5 python3 -u tools/z.py', 'z.py'],
    ['npx tsx hooks/gate.ts', 'gate.ts'],
    ['deno run -A hooks/gate.ts', 'gate.ts'],
    [`'/tmp/fresh clone'/hooks/validate.sh`, 'validate.sh'],
    ['"/tmp/fresh clone/hooks/validate.sh" --fast', 'validate.sh'],
    ['/tmp/fresh\\ clone/hooks/validate.sh', 'validate.sh'],
    ['bash "/tmp/a \\"b\\" c/validate.sh"', 'validate.sh'],
    [`'/tmp/it'\\''s here'/validate.sh`, 'validate.sh'],
    ['python3 \\\n  hooks/lint.py', 'lint.py'],
    ['uv run --with pyyaml python scripts/check.py --fix', 'check.py'],
    ['python3 hooks/check.py -c', 'check.py'],
    ['env A=1 node hooks/gate.js', 'gate.js'],
    ['"$PYTHON" hooks/gate.py', 'gate.py'],
    [`bash -lc "source ~/.nvm/nvm.sh; node hooks/a.mjs"`, 'a.mjs'],
    ['OUT="$(python3 hooks/check.py)"; echo "$OUT"', 'check.py'],
    ['node "$(npm root -g)/pkg/dist/cli.js" run', 'pkg/cli.js'],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard/index.ts', 'guard/index.ts'],
    ['node dist/index.js', 'index.js'],
    ['2>/dev/null ./gate.sh', 'gate.sh'],
    ['./gate.sh &>/dev/null', 'gate.sh'],
    ['gate() { ./inner.sh; }; gate', 'inner.sh'],
    ['/Users/me/My\\ Scripts/run\\ it.sh', 'run it.sh'],
    ['"/Users/me/My Scripts/do it.sh" --x', 'do it.sh'],
    ['powershell -NoProfile -ExecutionPolicy Bypass -File C:\\hooks\\check.ps1', 'check.ps1'],
    ['powershell -File "C:\\My Hooks\\check.ps1"', 'check.ps1'],
    ['cmd.exe /c C:\\hooks\\y.bat', 'y.bat'],
    ['sudo -u nobody timeout -k 5 10 ./gate.sh', 'gate.sh'],
  ])('%s', (command, name) => expect(nameOf(command, 'A description')).toBe(name));
});

describe('without a script it is the description, else the program, else the group', () => {
  test.each([
    ['echo "no pushes"', 'Deny pushes to main!', 'Bash', 'Deny-pushes-to-main'],
    ['echo "run ./x.sh yourself"', undefined, 'Bash', 'PreToolUse-Bash'],
    ['echo hello', undefined, 'Edit|Write', 'PreToolUse-Edit-Write'],
    ['[ -f x ]', undefined, undefined, 'PreToolUse'],
    [`python3 -c 'print(1)'`, undefined, 'Bash', 'PreToolUse-Bash'],
    [`jq -r '.tool_input.file_path' | xargs prettier --write`, undefined, 'Edit', 'prettier'],
    ['npx prettier --check .', undefined, 'Edit', 'prettier'],
    ['npm run lint', undefined, 'Edit', 'npm-lint'],
    ['bun test', undefined, 'Edit', 'bun-test'],
    ['uv run ruff check', undefined, 'Edit', 'ruff'],
    ['my-gate --strict', undefined, 'Bash', 'my-gate'],
    ['. ./env.sh && my-gate', undefined, 'Bash', 'my-gate'],
    ['. ./env.sh', undefined, 'Bash', 'env.sh'],
    ['npx -y ccusage@latest statusline', undefined, 'Bash', 'ccusage'],
    ['bunx @biomejs/biome@1.9.4 check', undefined, 'Bash', 'biome'],
    ['pnpm --filter web lint', undefined, 'Bash', 'pnpm-lint'],
    ['yarn workspace app lint', undefined, 'Bash', 'yarn-lint'],
    ['go run ./cmd/gate', undefined, 'Bash', 'go-gate'],
    ['hookline guard', undefined, 'Bash', 'hookline-guard'],
    ['command -v gitleaks >/dev/null && gitleaks protect', undefined, 'Bash', 'gitleaks'],
    [`osascript -e 'display notification "Done"'`, undefined, 'Bash', 'osascript'],
    ['>&2 echo no; exit 2', undefined, 'Bash', 'PreToolUse-Bash'],
    ["python3 - <<'EOF'\nimport gate.py\nEOF", undefined, 'Bash', 'PreToolUse-Bash'],
    ['gate() { ruff check; }; gate', undefined, 'Bash', 'ruff'],
    [`${'x'.repeat(90)}`, undefined, 'Bash', 'x'.repeat(40)],
  ])('%s', (command, description, matcher, name) => expect(nameOf(command, description, matcher)).toBe(name));

  test('any text makes a name, and quickly', () => {
    for (const text of [
      '',
      '"',
      "'",
      '#',
      '((((',
      '|'.repeat(5000),
      '$('.repeat(2000),
      '`',
      '<<',
      '>'.repeat(4000),
      'uv '.repeat(5000),
      `bash -c ${`'bash -c "`.repeat(500)}`,
    ])
      expect(nameOf(text, undefined, 'Bash')).toMatch(/^.{1,40}$/);
  });
});

const COMMANDS = ['uv run hooks/a.py', 'uv run hooks/b.py', 'uv run hooks/a.py --again', 'echo hi', 'echo ho'];
const groups = COMMANDS.map((command) => ({ matcher: 'Bash', hooks: [{ type: 'command', command }] }));
const settings = JSON.stringify({ hooks: { PreToolUse: groups, PostToolUse: groups } });

async function hooksIn(file: string, text: string) {
  const workspace = createWorkspace({ [file]: text });
  const { hooks } = await findHooks({ agents: AGENTS, root: workspace.root, settingsHome: workspace.home, paths: [] });
  return hooks.map(({ hook }) => hook);
}

test.each(['.claude/settings.json', '.qwen/settings.json', '.codex/hooks.json'])('names differ within %s', async (file) => {
  const names = (await hooksIn(file, settings)).map(({ name }) => name);
  expect(names).toHaveLength(10);
  expect(new Set(names).size).toBe(10);
  expect(names.slice(0, 4)).toEqual(['a.py', 'b.py', 'a.py-PreToolUse', 'PreToolUse-Bash']);
});

test('a name that the author wrote stays, also if a made one is the same', async () => {
  const named = { hooks: [{ type: 'command', name: 'a.py', command: 'x' }] };
  const hooks = await hooksIn('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [...groups, named] } }));
  expect(hooks.map(({ name }) => name)).toContain('a.py');
  expect(hooks.find(({ name }) => name === 'a.py')?.formerName).toBeUndefined();
});

test('the digest is that of the former name, so a hook that was trusted before stays trusted', async () => {
  for (const hook of await hooksIn('.claude/settings.json', settings)) {
    expect(hook.formerName).toBe(handlerLabel(hook.handler));
    const { formerName = '', ...asBefore } = { ...hook };
    expect(hookDigest(hook, [])).toBe(hookDigest({ ...asBefore, name: formerName }, []));
  }
});
