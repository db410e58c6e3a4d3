// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells read them
/** Which hooks Claude Code starts, the engine starts: by `matcher`, and by `if`. */
import { expect, test } from 'vitest';
import { type Groups, linesOf, type Scene, tellTruth } from './claude-code-truth.ts';
import type { Turn } from './model/turn.ts';

const LIMIT = { timeout: 180_000 };

const MATCHERS = [
  ...['', '*', '.*', 'Bash', 'Bash|Edit', 'Bash, Edit', 'Bash,Edit', 'Bash Edit', ' Bash ', 'Bash|', 'bash', 'B.*', '^B', 'ash$'],
  ...[
    'mcp__mail',
    'mcp__mail__send',
    'mcp__mail__.*',
    'mcp__.*',
    'Task',
    'Agent',
    'Task|Bash',
    '^Task$',
    'Read, Write',
    'Wr.te',
    'MultiEdit',
  ],
  ...['Bash(git *)', 'Notebook*', '!Bash'],
];

const RULES = [
  ...['', 'Bash', 'Bash(*)', 'Bash()', 'Bash(git *)', 'Bash(git:*)', 'Bash(git*)', 'Bash(git)', 'Bash(git push)', 'Bash(git push *)'],
  ...['Bash(npm run *)', 'Edit', 'Edit(*.ts)', 'bash(git *)', 'Bash(git *'],
];

/** Told apart, they start exactly the same hooks. */
const PLAIN = [
  ...[
    'git',
    'gitk',
    'git push',
    ' git push',
    'git\tpush',
    'git push --force',
    'git -C . push',
    'npm run x',
    'ls # git push',
    'git push # now',
  ],
  ...['cd . && git push', 'ls; git push', 'ls | git push', 'ls || git push', '(git push)', '! git push', 'git push &', 'ls &\ngit push'],
  ...['if true; then git push; fi', 'for i in 1; do git push; done', 'until git push; do ls; done', '[ -e x ] && git push'],
  ...['FOO=1 git push', 'A=1 B=2 git push', 'export A=1; git push', 'env FOO=1 git push', 'sudo git push', 'timeout 5 git push'],
  ...[
    'nohup git push',
    'time git push',
    'command git push',
    'eval git push',
    'xargs git push',
    'ls | xargs git push',
    'xargs -n1 git push',
  ],
  ...['"git" push', 'gi\\t push', '/usr/bin/git push', './git push', 'sh -c "git push"', "echo 'git push'", 'echo "a; git push"'],
  ...['git push > out.txt', 'git push 2>&1', 'git push &> x', '>x git push', 'git commit -m "a\nb"'],
  ...[
    'echo "$(git push)"',
    'echo `git push`',
    'cat <<E\ngit push\nE',
    'echo "unclosed',
    'f() { git push; }; f',
    '{ git push; }',
    'bash <(git push)',
  ],
  ...['$(echo git) push', 'echo "${A}"', 'ls "$X"', 'echo a{b,c}', 'case x in x) git push;; esac', '(cd x; git push) &', "echo $'x'"],
];
/** Here Claude Code sees more clearly than we do, and starts fewer. */
const CLEARER = ['A=$(git push) ls', 'X=git; $X push', 'echo $X', 'cat <<< "git push"', 'xargs -I{} git push {}'];

test('a matcher starts the same hooks in Claude Code and in the engine', LIMIT, async () => {
  const turns: Turn[] = [
    { call: 'Bash', input: { command: 'true', description: 'For a test.' } },
    { call: 'Write', input: { file_path: 'b.txt', content: 'x' } },
    { call: 'Read', input: { file_path: 'b.txt' } },
    { call: 'mcp__mail__send', input: { to: 'nobody' } },
    { call: 'Task', input: { description: 'For a test.', prompt: 'Do nothing.', subagent_type: 'general-purpose' } },
  ];
  const hooks = { PreToolUse: MATCHERS.map((matcher, index) => ({ matcher, hooks: [noting(index)] })) };
  const files = { 'mail.cjs': MAIL, '.mcp.json': JSON.stringify({ mcpServers: { mail: { command: 'node', args: ['mail.cjs'] } } }) };
  const scene = { hooks, turns, files, options: ['--mcp-config', '.mcp.json'] };
  const { theirs, ours } = await startedBy(scene, MATCHERS, ({ tool_name: tool }) => tool);
  expect(Object.keys(theirs)).toEqual(['Bash', 'Write', 'Read', 'mcp__mail__send', 'Agent']);
  expect(ours).toEqual(theirs);
});

test('a rule in `if` starts the same hooks in Claude Code and in the engine, and never one less', LIMIT, async () => {
  const commands = [...PLAIN, ...CLEARER];
  const turns = commands.map((command) => ({ call: 'Bash', input: { command, description: 'For a test.' } }));
  const hooks = { PreToolUse: [{ hooks: RULES.map((rule, index) => ({ ...noting(index), if: rule })) }] };
  const { theirs, ours } = await startedBy({ hooks, turns }, RULES, ({ tool_input: { command } }) => command);
  expect(Object.keys(theirs)).toEqual(commands);
  for (const command of PLAIN) expect({ command, started: ours[command] }).toEqual({ command, started: theirs[command] });
  for (const command of CLEARER)
    expect({ command, started: ours[command] }).toEqual({ command, started: expect.arrayContaining(theirs[command] ?? []) });
});

interface Asked {
  readonly tool_name: string;
  readonly tool_input: { readonly command: string };
}

/** Writes down that it was started, and for what. */
function noting(index: number): object {
  return { type: 'command', command: `c=$(cat); printf '%s\\t%s\\n' ${index} "$c" >> "$CLAUDE_PROJECT_DIR"/asked` };
}

/** The hooks that were started, by what they were started for. Nothing is ever carried out. */
async function startedBy(
  scene: Scene & { readonly hooks: { readonly PreToolUse: Groups } },
  names: readonly string[],
  labelOf: (asked: Asked) => string,
): Promise<{ theirs: Record<string, string[]>; ours: Record<string, string[]> }> {
  const refusing: Groups = [...scene.hooks.PreToolUse, { hooks: [{ type: 'command', command: 'exit 2' }] }];
  const { session, replay } = await tellTruth({ ...scene, hooks: { PreToolUse: refusing } });
  const labels = linesOf(session.workspace, 'payloads').map((line) => labelOf(JSON.parse(line) as Asked));
  const read = (): Record<string, string[]> => {
    const started: Record<string, string[]> = Object.fromEntries(labels.map((label) => [label, []]));
    for (const line of linesOf(session.workspace, 'asked')) {
      const [index = '', payload = ''] = line.split('\t', 2);
      started[labelOf(JSON.parse(payload) as Asked)]?.push(names[Number(index)] ?? '');
    }
    for (const who of Object.values(started)) who.sort();
    return started;
  };
  const theirs = read();
  session.workspace.remove('asked');
  await replay();
  return { theirs, ours: read() };
}

/** A server with one tool. */
const MAIL = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tools = [{ name: 'send', description: 'Sends.', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize')
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'mail', version: '1' } } });
  else if (id !== undefined) say({ id, result: method === 'tools/list' ? { tools } : {} });
});
`;
