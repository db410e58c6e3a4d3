/** Which of Codex's tools hooks see, and as what. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codex, hookMd } from './codex.ts';
import type { Turn } from './model/turn.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const LIMIT = { timeout: 180_000 };
const NO = 'echo "Not with this tool." >&2; exit 2';
const GUARD = {
  'skills/guard/SKILL.md':
    '---\nname: guard\ndescription: Guards.\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: hookline guard\n---\n',
};
const { word, says } = GATES['HOOK.md'];

function patch(file: string): string {
  return `*** Begin Patch\n*** Add File: ${file}\n+text\n*** End Patch\n`;
}

test('a hook on Edit fires for a patch, and its deny keeps the file from being written', LIMIT, async () => {
  const files = hookMd('no-edits', { matcher: 'matcher:\n  tool: ^Edit$\n', script: NO });
  const session = await runSession(codex(), [{ call: 'apply_patch', input: patch('made.txt') }], { files });
  expect(session.has('made.txt'), session.output).toBe(false);
  expect(session.heard[1]).toContain('Not with this tool.');
});

test.each<readonly [string, Turn]>([
  ['a patch', { call: 'apply_patch', input: patch('.git/hooks/pre-commit') }],
  ['a patch whose header is indented', { call: 'apply_patch', input: patch('harmless.txt\n+text\n  *** Add File: .git/hooks/pre-commit') }],
  ['a patch in a shell', { call: 'exec_command', input: { cmd: `apply_patch <<'E'\n${patch('.git/hooks/pre-commit')}E` } }],
])('the guard judges the files of %s', LIMIT, async (_, turn) => {
  const session = await runSession(codex(), [turn, { call: 'apply_patch', input: patch('fine.txt') }], { files: GUARD });
  expect([session.has('.git/hooks/pre-commit'), session.has('harmless.txt'), session.has('fine.txt')], session.output).toEqual([
    false,
    false,
    true,
  ]);
  expect(session.heard[1]).toContain('git-internals');
});

test("a command in another folder is judged by the project's hooks", LIMIT, async () => {
  const elsewhere: Turn = { call: 'exec_command', input: { cmd: `touch ran-${word}`, workdir: '/tmp' } };
  const session = await runSession(codex(), [elsewhere]);
  expect(session.heard[1], session.output).toContain(says);
});

test('what a subagent does is asked about as well', LIMIT, async () => {
  const spawn: Turn = { call: 'multi_agent_v1.spawn_agent', input: { message: 'Do your part.' } };
  // The agent and its subagent ask in no certain order, so both are told the same.
  const both = Array.from({ length: 4 }, (): Turn => ({ call: 'exec_command', input: { cmd: `sleep 1; touch ran-${word}` } }));
  const session = await runSession(codex({ model: 'plain' }), [spawn, ...both]);
  const told = session.heard.filter((text) => text.includes(says));
  expect(
    told.some((text) => text.includes('spawn_agent')),
    session.output,
  ).toBe(true);
  expect(told.some((text) => !text.includes('spawn_agent'))).toBe(true);
  expect(session.has(`ran-${word}`)).toBe(false);
});

test('a tool of an MCP server is asked about by its full name', LIMIT, async () => {
  const server = { 'server.mjs': SERVER, ...hookMd('no-notes', { matcher: 'matcher:\n  tool: ^mcp__notes__\n', script: NO }) };
  const config = '\n[mcp_servers.notes]\ncommand = "node"\nargs = ["server.mjs"]\n';
  const agent = codex({ model: 'plain', config });
  const session = await runSession(agent, [{ call: 'mcp__notes.take', input: { text: 'x' } }], { files: server });
  expect(session.heard[1], session.output).toContain('Not with this tool.');
  expect(session.has('taken')).toBe(false);
});

// A limit of Codex: if this fails, it has gone, and docs/hosts.md says too little of what hooks can do.
test('what is typed into a program that runs already reaches no hook', LIMIT, async () => {
  const files = hookMd('witness', { script: 'cat >> seen' });
  const typing = `const { session_id } = await tools.exec_command({ cmd: 'sh', tty: true, yield_time_ms: 500 });
    text(await tools.write_stdin({ session_id, chars: 'touch ran-${word}\\n', yield_time_ms: 1500 }))`;
  const session = await runSession(codex({ model: 'codes' }), [{ call: 'exec', input: typing }], { files });
  expect(session.has(`ran-${word}`), session.output).toBe(true);
  const seen = readFileSync(session.workspace.at('seen'), 'utf8');
  expect([seen.includes('"sh"'), seen.includes(word)]).toEqual([true, false]);
});

/** An MCP server with one tool, which leaves a file behind. */
const SERVER = `import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'take', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }] }),
  'tools/call': () => (writeFileSync('taken', ''), { content: [{ type: 'text', text: 'Taken.' }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }) + '\\n');
});
`;
