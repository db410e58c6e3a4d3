// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are placeholders of the format
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialect as claudeCode } from '../../../../src/agents/claude-code/dialect.ts';
import { load as loadFile } from '../../../../src/agents/claude-code/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { type Compile, holds } from '../../../../src/core/event/match.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseLooseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { throwSwitches } from '../../../../src/load/load-hooks.ts';

const compile: Compile = ({ source, anchor, flags }) => {
  const pattern = new RegExp(anchor === 'whole' ? `^(?:${source})$` : source, flags);
  return (value) => pattern.test(value);
};
const context: LoadContext = {
  ownTypes: new Set(['guard']),
  scope: 'project',
  folder: '/p/.claude',
  folderName: '.claude',
  idPrefix: 'claude-code:.claude/settings.json',
  checkPattern(source, flags) {
    try {
      new RegExp(source, flags);
      return undefined;
    } catch {
      return 'it is not closed.';
    }
  },
  read: () => undefined,
  stat: () => undefined,
};
const OK = { type: 'command', command: 'true' };

function load(text: string, file = '/p/.claude/settings.json'): Loaded {
  return loadFile(parseJson(file, text), context);
}
function loadHooks(hooks: unknown): Loaded {
  return load(JSON.stringify({ hooks }));
}
/** The one hook of this event with this group, and what was said about it. */
function one(handler: object, event = 'PreToolUse', matcher?: Json): { hook: Hook; codes: string[] } {
  const { hooks, diagnostics } = loadHooks({ [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [handler] }] });
  return { hook: hooks[0] as Hook, codes: diagnostics.map(({ code }) => code) };
}
function fires({ when }: Hook, data: HookEvent['data'], kind: HookEvent['kind'] = 'tool.before'): boolean {
  const event: HookEvent = { id: 'e', kind, at: '', session: { id: 's', cwd: '/' }, data };
  return when.every((condition) => holds(condition, facetValues(event, condition.facet), compile));
}
const matches = (matcher: string, tool: string): boolean => fires(one(OK, 'PreToolUse', matcher).hook, { tool });
const ruleFires = (rule: string, tool: string, input: HookEvent['data']): boolean => fires(one({ ...OK, if: rule }).hook, { tool, input });

test('a hook is what the file says, with the variables of Claude Code', () => {
  const { hooks, diagnostics } = load(
    '\uFEFF{ // mine\r\n "env": {"A": "b"}, "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "bash gate.sh", "timeout": 5,}]}]}}',
  );
  expect(diagnostics).toEqual([]);
  expect(hooks).toEqual([
    {
      id: 'claude-code:.claude/settings.json#PreToolUse[0].hooks[0]',
      name: 'gate.sh',
      formerName: 'gate.sh',
      dialect: 'claude-code',
      event: 'PreToolUse',
      when: [{ facet: 'tool', test: { kind: 'oneOf', values: ['Bash'] }, missing: 'fails' }],
      handler: { type: 'command', config: { command: 'bash gate.sh' } },
      timeoutMs: 5000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/p/.claude/settings.json', line: 2, column: 76, scope: 'project' },
      folder: '/p/.claude',
      env: { A: 'b', CLAUDECODE: '1' },
      facts: { CLAUDE_PROJECT_DIR: 'project', CLAUDE_CODE_SESSION_ID: 'session' },
    },
  ]);
});

test('exact-or-pattern: plain names are exact and split at bars and commas; anything else is a pattern found anywhere', () => {
  expect([matches('Bash', 'Bash'), matches('Bash', 'BashOutputs'), matches('bash', 'Bash')]).toEqual([true, false, false]);
  expect([matches('Edit|Write', 'Write'), matches('Edit, Write', 'Write'), matches('mcp-x y', 'mcp-x y')]).toEqual([true, true, true]);
  expect([matches('mcp__.*', 'mcp__mail__send'), matches('^Ba', 'Bash'), matches('Ba.h', 'xBashx')]).toEqual([true, true, true]);
  for (const all of ['', '*']) expect(one(OK, 'PreToolUse', all).hook.when).toEqual([]);
  expect(one(OK, 'PreToolUse', null).hook.when).toEqual([]);
  expect(loadHooks({ PreToolUse: [{ matcher: '(', hooks: [OK] }, { hooks: [OK] }] })).toMatchObject({
    hooks: [{ when: [] }],
    diagnostics: [{ code: 'bad-pattern', line: 1 }],
  });
});

test('narrow-matchers: a comma makes a pattern on FileChanged, and a list elsewhere', () => {
  const file = one(OK, 'FileChanged', '.envrc|.env').hook;
  expect(fires(file, { path: '/p/.envrc' }, 'file.changed')).toBe(true);
  expect(fires(one(OK, 'FileChanged', 'a,b').hook, { path: '/p/a' }, 'file.changed')).toBe(false);
  expect(fires(one(OK, 'SessionStart', 'startup,clear').hook, { source: 'clear' }, 'session.start')).toBe(true);
});

test('renamed-tools: a matcher with a former name fires for the new one, and the other way round', () => {
  expect([matches('Task', 'Agent'), matches('Agent', 'Task'), matches('Task', 'Bash')]).toEqual([true, true, false]);
  expect([matches('^Task$', 'Agent'), matches('^(Task|Edit)$', 'Agent'), matches('^Task$', 'TaskStop')]).toEqual([true, true, false]);
});

test('bare-server and rule-as-matcher: what never fires is said', () => {
  expect(one(OK, 'PreToolUse', 'mcp__mail').codes).toEqual(['matcher-never-fires']);
  expect(one(OK, 'PreToolUse', 'mcp__mail__.*').codes).toEqual([]);
  expect(one(OK, 'PreToolUse', 'Bash(git push*)').codes).toEqual(['matcher-never-fires']);
  expect(one(OK, 'PreToolUse', 'Notebook(Edit|Read)').codes).toEqual([]);
});

test('a matcher looks at what its event is about', () => {
  expect(fires(one(OK, 'Notification', 'idle_prompt').hook, { message: 'x', type: 'idle_prompt' }, 'notification')).toBe(true);
  expect(fires(one(OK, 'SubagentStart', 'Explore').hook, { name: 'Explore' }, 'subagent.before')).toBe(true);
  expect(fires(one(OK, 'PreModelSwitch', 'opus').hook, { from: 'opus', to: 'sonnet' }, 'model.switch.before')).toBe(false);
  expect(fires(one(OK, 'Elicitation', 'mail').hook, { server: 'mail' }, 'elicitation.before')).toBe(true);
  expect(one(OK, 'Stop', 'x')).toMatchObject({ hook: { when: [] }, codes: ['matcher-ignored'] });
});

test('if-on-tools: a rule counts for its tool, and is not looked at elsewhere', () => {
  expect(ruleFires('Bash', 'Bash', {})).toBe(true);
  expect(ruleFires('Bash(git *)', 'Edit', { file_path: 'git x' })).toBe(false);
  expect(one({ ...OK, if: 'Bash(git *)' }, 'Stop')).toMatchObject({ hook: { when: [] }, codes: ['matcher-ignored'] });
  expect(loadHooks({ PreToolUse: [{ hooks: [{ ...OK, if: ['Bash'] }, { ...OK, if: '((' }, OK] }] })).toMatchObject({
    hooks: [{ when: [] }],
    diagnostics: [{ code: 'wrong-type' }, { code: 'bad-pattern' }],
  });
});

test.each([
  ['Bash(git *)', 'git status', true],
  ['Bash(git *)', 'git', true],
  ['Bash(git *)', 'gitk', false],
  ['Bash(git:*)', 'git push', true],
  ['Bash(npm run *)', 'npm test', false],
  ['Bash(git *)', 'cd x && git push', true],
  ['Bash(git *)', 'FOO=1 git push', true],
  ['Bash(git *)', 'echo "$(git push)"', true],
  ['Bash(git *)', 'echo `git push`', true],
  ['Bash(git *)', "echo 'a; git push'", false],
  ['Bash(git *)', '"git" push', true],
  ['Bash(rm -rf *)', 'ls; rm -rf /', true],
  ['Bash(git *)', 'if true; then git push; fi', true],
  ['Bash(git *)', '! git push', true],
  ['Bash(git *)', 'xargs git push', true],
  ['Bash(git *)', 'xargs -n1 git push', false],
  ['Bash(git push)', 'git push # now', true],
  ['Bash(npm *)', 'ls "$X"', true],
  ['Bash(git push)', 'git  push > out.txt 2>&1', true],
  ['Bash(npm *)', 'cat <<E\ngit push\nE', true],
  ['Bash(npm *)', 'f() { git push; }; f', true],
  ['Bash(npm *)', 'echo "unclosed', true],
  ['Bash(npm *)', 'echo "$(git push)"', true],
  ['Bash(npm *)', "echo '$(git push)'", false],
  ['Bash(git *)', 'env A=1 git push', false],
  ['Bash(* --force)', 'git push --force', true],
  ['Bash(git push)', 'git push origin', false],
])('if-targets: %s on `%s` is %s', (rule, command, expected) => {
  expect(ruleFires(rule, 'Bash', { command })).toBe(expected);
});

test('if-targets: rules for files and addresses', () => {
  expect(ruleFires('Edit(*.ts)', 'Edit', { file_path: '/p/src/a.ts' })).toBe(true);
  expect(ruleFires('Edit(*.ts)', 'Edit', { file_path: '/p/src/a.tsx' })).toBe(false);
  expect(ruleFires('Edit(src/**)', 'Edit', { file_path: '/p/src/a.ts' })).toBe(true);
  expect(ruleFires('Read(//etc/*)', 'Read', { file_path: '/etc/passwd' })).toBe(true);
  expect(ruleFires('WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com/x' })).toBe(true);
  expect(ruleFires('WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.com/example.com' })).toBe(false);
});

test('platform-commands: the command of this system takes the place of `command`', () => {
  const line = (handler: object) => one({ type: 'command', command: 'echo any', ...handler }).hook.handler.config['command'];
  const everywhere = (command: unknown) => ({ windows: command, linux: command, osx: command });
  expect(line(everywhere('echo ${user_config.key}'))).toBe('echo ${CLAUDE_PLUGIN_OPTION_KEY}');
  expect(line({ ...everywhere('echo $X'), shell: 'bash' })).toBe(`bash -c 'echo $X'`);
  expect(line(everywhere(null))).toBe('echo any');
});

test('exec-form: no shell reads the words, and placeholders become variables', () => {
  const line = (handler: object) => one({ type: 'command', ...handler }).hook.handler.config['command'];
  expect(line({ command: 'node', args: ['a b', '$(x)', '${CLAUDE_PROJECT_DIR}/run.js', '${user_config.key}', ''] })).toBe(
    `node 'a b' '$(x)' "\${CLAUDE_PROJECT_DIR}"/run.js "\${CLAUDE_PLUGIN_OPTION_KEY}" ''`,
  );
  expect(line({ command: "it's", args: [] })).toBe(`'it'\\''s'`);
  expect(line({ command: '"${CLAUDE_PROJECT_DIR}"/x.sh' })).toBe('"${CLAUDE_PROJECT_DIR}"/x.sh');
  expect(line({ command: 'echo $X', shell: 'bash' })).toBe(`bash -c 'echo $X'`);
  expect(line({ command: 'gci', shell: 'powershell' })).toBe('pwsh -NoProfile -NonInteractive -Command gci');
  expect(loadHooks({ Stop: [{ hooks: [{ ...OK, args: [1] }, { ...OK, shell: 'fish' }, OK] }] }).hooks).toHaveLength(1);
});

test('every type of handler becomes one that is asked in its own way', () => {
  const handlers = [
    { type: 'http', url: 'http://127.0.0.1:1/x', headers: { A: 'Bearer $T' }, allowedEnvVars: ['T'] },
    { type: 'prompt', prompt: 'Safe? $ARGUMENTS', model: 'haiku' },
    { type: 'agent', prompt: 'Look.' },
    { type: 'mcp_tool', server: 'mail', tool: 'send', input: { to: '${tool_input.to}' } },
    { type: 'guard', preset: 'strict' },
  ];
  const { hooks } = loadHooks({ PreToolUse: [{ hooks: handlers }] });
  expect(hooks.map(({ handler, timeoutMs }) => [handler, timeoutMs])).toEqual([
    [{ type: 'http', config: { url: 'http://127.0.0.1:1/x', headers: { A: 'Bearer $T' }, allowedEnvVars: ['T'] } }, 600_000],
    [{ type: 'prompt', config: { prompt: 'Safe? $ARGUMENTS', model: 'haiku', arguments: '$ARGUMENTS' } }, 30_000],
    [{ type: 'agent', config: { prompt: 'Look.', arguments: '$ARGUMENTS', agent: 'verifier' } }, 60_000],
    [{ type: 'mcp_tool', config: { server: 'mail', tool: 'send', input: { to: '${tool_input.to}' } } }, 600_000],
    [{ type: 'guard', config: { preset: 'strict' } }, 600_000],
  ]);
});

test('timeouts are seconds, with a default for each event; a wrong unit is said and never converted', () => {
  const ms = (event: string, timeout?: Json) => one({ ...OK, ...(timeout !== undefined && { timeout }) }, event);
  expect(['PreToolUse', 'UserPromptSubmit', 'SessionEnd'].map((event) => ms(event).hook.timeoutMs)).toEqual([600_000, 30_000, 1500]);
  expect(ms('SessionEnd', 600).hook.timeoutMs).toBe(60_000);
  expect(ms('PreToolUse', 5000)).toMatchObject({ hook: { timeoutMs: 5_000_000 }, codes: ['long-timeout'] });
  for (const wrong of ['5', 0, -1, []])
    expect(ms('PreToolUse', wrong)).toMatchObject({ hook: { timeoutMs: 600_000 }, codes: ['bad-timeout'] });
});

test('on-failure: `block` makes a hook strict, but not in the background nor where the agent wants to stop', () => {
  expect(one({ ...OK, onFailure: 'block' }).hook.strict).toBe(true);
  expect(one({ ...OK, onFailure: 'continue' }).hook.strict).toBe(undefined);
  expect(one({ ...OK, onFailure: 'block' }, 'Stop')).toMatchObject({ codes: ['no-effect'] });
  expect(one({ ...OK, onFailure: 'block', async: true }).hook).toMatchObject({ detach: true });
  expect(one({ ...OK, asyncRewake: true }).hook.detach).toBe(true);
});

test('once-in-skills: elsewhere a hook is asked every time, and that is said', async () => {
  expect(one({ ...OK, once: true })).toMatchObject({ hook: { enabled: true }, codes: ['no-effect'] });
  expect(one({ ...OK, once: true }).hook.once).toBe(undefined);
  const text = '---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - {type: command, command: "true", once: true}\n---\n';
  expect(loadFile(await parseLooseFrontmatter('/p/.claude/skills/x/SKILL.md', text), context).hooks[0]?.once).toBe(true);
});

test('disabled-file: its own hooks are off, and that is said', () => {
  const { hooks, switches = [] } = load(JSON.stringify({ disableAllHooks: true, hooks: { Stop: [{ hooks: [OK] }] } }));
  const thrown = throwSwitches([{ file: 'a', scope: 'project', dialect: 'claude-code', hooks, switches }]);
  expect(thrown.hooks[0]?.[0]).toMatchObject({ enabled: false, offBy: '`disableAllHooks` in a:1' });
  expect(thrown.diagnostics).toMatchObject([{ severity: 'warning', code: 'hooks-disabled', line: 1 }]);
});

test('managed-only: it counts in managed settings, and elsewhere it is nothing, which is said', () => {
  const text = JSON.stringify({ allowManagedHooksOnly: true, hooks: { Stop: [{ hooks: [OK] }] } });
  const [only] = loadFile(parseJson('/etc/m.json', text), { ...context, scope: 'managed' }).switches ?? [];
  const [hook] = load(text).hooks as [Hook];
  expect(only?.apply(hook).enabled).toBe(false);
  expect(only?.apply({ ...hook, source: { ...hook.source, scope: 'managed' } }).enabled).toBe(true);
  expect(load(text)).toMatchObject({ switches: [], diagnostics: [{ severity: 'info', code: 'no-effect' }] });
});

test('loose-frontmatter: a `hooks:` block loads although the rest is broken; plugin-root-in-skills: its root is its folder', async () => {
  const text =
    '---\nname: [broken\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "true"\nmodel: {\n---\n';
  const skill = { ...context, folder: '/p/.claude/skills/x', folderName: 'x' };
  const loaded = loadFile(await parseLooseFrontmatter('/p/.claude/skills/x/SKILL.md', text), skill);
  expect(loaded.hooks).toMatchObject([{ name: 'x/PreToolUse', source: { line: 6 }, env: { CLAUDE_PLUGIN_ROOT: '/p/.claude/skills/x' } }]);
  const agent = loadFile(await parseLooseFrontmatter('/p/.claude/agents/a.md', text), context);
  expect(agent.hooks[0]?.env).toEqual({ CLAUDECODE: '1' });
});

test('a plugin has its hooks in the default file, in those it names, or in its manifest; never outside', () => {
  const files: Record<string, string> = {
    'hooks/hooks.json': JSON.stringify({ description: 'x', hooks: { Stop: [{ hooks: [OK] }] } }),
    'more.json': JSON.stringify({ hooks: { Stop: [{ hooks: [OK] }] } }),
  };
  const plugin = {
    ...context,
    folder: '/q',
    folderName: 'q',
    read: (path: string) => (files[path] ? parseJson(`/q/${path}`, files[path]) : undefined),
  };
  const loadPlugin = (manifest: object) => loadFile(parseJson('/q/.claude-plugin/plugin.json', JSON.stringify(manifest)), plugin);
  const loaded = loadPlugin({ name: 'p', hooks: ['./more.json', '../x.json', 'gone.json', { PreToolUse: [{ hooks: [OK] }] }] });
  expect(loaded.hooks.map(({ id, name }) => [id.split('#')[1], name])).toEqual([
    ['hooks/hooks.json/Stop[0].hooks[0]', 'p/Stop'],
    ['more.json/Stop[0].hooks[0]', 'p/Stop'],
    ['hooks[3]/PreToolUse[0].hooks[0]', 'p/PreToolUse'],
  ]);
  expect(loaded.diagnostics.map(({ code }) => code)).toEqual(['outside-folder', 'missing-file']);
  expect(loaded.hooks[0]?.env).toEqual({ CLAUDE_PLUGIN_ROOT: '/q', CLAUDECODE: '1' });
});

test('what only Claude Code knows of a plugin has no value here, and that is said', () => {
  const manifest = (command: string) => JSON.stringify({ name: 'p', hooks: { Stop: [{ hooks: [{ ...OK, command }] }] } });
  const codes = (command: string) =>
    loadFile(parseJson('/q/.claude-plugin/plugin.json', manifest(command)), context).diagnostics.map(({ code, message }) => [
      code,
      message,
    ]);
  expect(codes('"$CLAUDE_PLUGIN_ROOT"/a.sh')).toEqual([]);
  expect(codes('"$CLAUDE_PLUGIN_DATA"/a.sh $CLAUDE_PLUGIN_OPTION_TOKEN')).toEqual([
    ['no-effect', expect.stringContaining('`CLAUDE_PLUGIN_DATA`, `CLAUDE_PLUGIN_OPTION_TOKEN` are set by Claude Code alone')],
  ]);
});

test('all 33 events are known, and an unknown one gets a suggestion', () => {
  const names = Object.keys(claudeCode.profile.events);
  expect(names).toHaveLength(33);
  expect(loadHooks(Object.fromEntries(names.map((name) => [name, [{ hooks: [OK] }]]))).hooks).toHaveLength(33);
  expect(loadHooks({ PreTooluse: [{ hooks: [OK] }] }).diagnostics).toMatchObject([
    { code: 'unknown-event', hint: 'Did you mean `PreToolUse`?' },
  ]);
});

test('whatever is written there never throws, every complaint has a place, and the good hook beside it loads', () => {
  const shape = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 0, '', 'true', 'Bash(git *)', -1, 1e9, []),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'hooks',
          'matcher',
          'type',
          'command',
          'args',
          'if',
          'timeout',
          'url',
          'headers',
          'prompt',
          'onFailure',
          'async',
          'once',
          'x',
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(shape, shape, (bad, worse) => {
      const { hooks, diagnostics } = loadHooks({
        PostToolUse: bad,
        Nonsense: worse,
        Stop: [worse, { hooks: [bad, { ...OK, name: 'good' }] }],
      });
      expect(hooks.some(({ name, event }) => name === 'good' && event === 'Stop')).toBe(true);
      expect(diagnostics.filter(({ line, column, message }) => !line || !column || message === '')).toEqual([]);
      load(JSON.stringify({ hooks: bad, disableAllHooks: worse, env: bad }));
    }),
    { numRuns: 500 },
  );
});
