import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { guardTool } from '../../../../src/guard/tools/guard-tool.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'guard-tool-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const at = (name: string): string => path.join(base, name);
mkdirSync(at('project/.git/hooks'), { recursive: true });
mkdirSync(at('home/.ssh'), { recursive: true });
symlinkSync(at('project/.git/hooks'), at('project/docs'));

const options = { cwd: at('project'), root: at('project'), home: at('home') };
const decide = (tool: unknown, input: unknown, more = {}) => guardTool(tool, input, { ...options, ...more }).decision;

describe('tools that run commands', () => {
  test.each(['Bash', 'Shell', 'sh', 'run_shell_command', 'exec_command', 'run_terminal_cmd', 'runInTerminal', 'local_shell', 'Execute'])(
    '%s',
    (tool) => {
      expect(decide(tool, { command: 'rm -rf /' })).toBe('deny');
      expect(decide(tool, { command: 'ls -l' })).toBe('none');
    },
  );

  test('the name counts without what is before it', () => {
    for (const tool of ['mcp__box__bash', 'SkillKit.Tools.Shell', 'functions.exec_command', 'server/terminal'])
      expect(decide(tool, { command: 'rm -rf /' }), tool).toBe('deny');
  });

  test('the command counts in whatever form it comes', () => {
    for (const input of [
      'rm -rf /',
      '{"command":"rm -rf /"}',
      { cmd: 'rm -rf /' },
      { script: 'set -e\nrm -rf /' },
      { commandLine: 'rm -rf /' },
      { command: ['rm', '-rf', '/'] },
      { command: ['bash', '-lc', 'cd /tmp && rm -rf /'] },
      { command: ['rm -rf /'] },
      { commands: ['ls', 'rm -rf /'] },
      { command: 'rm', args: ['-rf', '/'] },
      { command: 'ls', script: 'rm -rf /' },
      { action: { command: 'rm -rf /' }, command: { cmd: 'rm -rf /' } },
    ])
      expect(decide('Bash', input), JSON.stringify(input)).toBe('deny');
  });

  test('a word of a list is one word: what a shell would make of it does not count', () => {
    expect(decide('shell', { command: ['echo', '; rm -rf /'] })).toBe('none');
    expect(decide('shell', { command: 'echo', args: ["it's", '$(rm -rf /)'] })).toBe('none');
  });

  test('a command that can not be read is uncertain, never harmless', () => {
    for (const input of [undefined, null, 7, {}, { text: 'ls' }, { command: 7 }, { command: ['ls', 7] }, { command: [] }, []])
      expect(decide('Bash', input), JSON.stringify(input)).toBe('ask');
    expect(decide('Bash', {}, { preset: 'strict' })).toBe('deny');
    expect(guardTool('Bash', {}, options)).toMatchObject({ complete: false, findings: [{ rule: 'uncertain' }] });
    expect(decide(undefined, { command: 'ls' })).toBe('ask');
  });

  test('where the tool says it runs is where it is judged', () => {
    expect(decide('Bash', { command: 'rm -rf *', workdir: at('home') })).toBe('deny');
  });
});

describe('tools nobody knows', () => {
  test('one that looks like a shell is judged by what it calls a command, however deep', () => {
    expect(decide('acme_terminal_session', { options: { steps: [{ command: 'rm -rf /' }] } })).toBe('deny');
    expect(decide('acmeShellSession', { cmd: 'rm -rf /' })).toBe('deny');
    expect(decide('list_terminals', {})).toBe('none');
  });

  test('any other is judged by the commands in its input, and by nothing else', () => {
    expect(decide('Task', { prompt: 'x', command: 'rm -rf /' })).toBe('deny');
    expect(decide('Task', { prompt: 'rm -rf /', command: '/review' }, { preset: 'strict' })).toBe('none');
    expect(decide('WebSearch', { query: 'rm -rf /' }, { preset: 'strict' })).toBe('none');
    expect(decide('acme', { text: 'rm -rf /', description: 'rm -rf /' }, { preset: 'strict' })).toBe('none');
  });

  test('a code that is no program is no command', () => {
    expect(decide('redeem', { code: 'ABC-1234' }, { preset: 'strict' })).toBe('none');
  });

  test('a sentence under `command` is no reason to ask a person', () => {
    expect(decide('Task', { command: "review it (it's new" })).toBe('none');
    expect(decide('acme', { command: "review it (it's new" })).toBe('none');
  });

  test('the file that it names is judged, by its use: the name or the content shows that it is written', () => {
    for (const [tool, input] of [
      ['save_document', { path: '/etc/sudoers' }],
      ['acme', { path: '/etc/sudoers', content: 'x' }],
      ['acme_trash', { path: '.' }],
      ['acme_rename', { from: '.git/hooks/x', to: 'x' }],
      ['acme', { path: '~/.ssh/id_ed25519' }],
      ['acme', { files: ['README.md', '~/.ssh/id_ed25519'] }],
    ] as const)
      expect(decide(tool, input), JSON.stringify([tool, input])).not.toBe('none');
    for (const [tool, input] of [
      ['save_document', { path: 'docs-new/a.md', content: 'rm -rf /' }],
      ['acme', { path: 'README.md' }],
      ['acme', { uri: 'https://example.com/.ssh/id_ed25519' }],
      ['Glob', { path: '~/.ssh', pattern: '*' }],
    ] as const)
      expect(decide(tool, input, { preset: 'strict' }), JSON.stringify([tool, input])).toBe('none');
  });

  test('a tool that calls others is judged by the calls in its input', () => {
    const call = (name: string, input: unknown) => [
      ['tool_call', { name, arguments: input }],
      ['tool_call', { name, arguments: JSON.stringify(input) }],
      [
        'batch',
        {
          tool_calls: [
            { tool: 'read', parameters: { filePath: 'a' } },
            { tool: name, parameters: input },
          ],
        },
      ],
      ['multi_tool_use.parallel', { tool_uses: [{ recipient_name: `functions.${name}`, parameters: input }] }],
      ['acme_dispatch', { request: { toolName: name, params: input } }],
    ];
    for (const [tool, input] of [...call('write_file', { path: '/etc/sudoers' }), ...call('write_stdin', { chars: 'rm -rf /\n' })])
      expect(decide(tool, input), JSON.stringify([tool, input])).toBe('deny');
    for (const [tool, input] of call('bash', { command: 'ls' }).slice(0, 4))
      expect(decide(tool, input, { preset: 'strict' }), JSON.stringify([tool, input])).toBe('none');
  });
});

describe('tools that touch files', () => {
  test('a file of the project may be written, one of the system may not', () => {
    expect(decide('Write', { file_path: 'src/index.ts', content: 'rm -rf /' })).toBe('none');
    expect(decide('Edit', { file_path: at('project/README.md') })).toBe('none');
    for (const tool of ['Write', 'Edit', 'create_file', 'str_replace_editor', 'mcp__fs__write_file'])
      expect(decide(tool, { path: '/etc/sudoers', command: 'create' }), tool).not.toBe('none');
  });

  test('a place of Windows is the same place for every tool that writes, and with either slash', () => {
    const startup = 'AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/a.bat';
    for (const tool of ['Write', 'Edit', 'create_file', 'delete_file', 'mcp__fs__write_file']) {
      for (const place of [`C:/Users/ada/${startup}`, 'C:/Windows/System32/drivers/etc/hosts', 'd:/Users/ada/.ssh/id_ed25519'])
        for (const written of [place, place.replaceAll('/', '\\')])
          expect(decide(tool, { path: written }), `${tool} ${written}`).not.toBe('none');
      expect(decide(tool, { path: 'D:\\shop\\src\\a.ts' }), tool).toBe('none');
    }
  });

  test('a hook of git is as out of bounds by any way that leads to it', () => {
    for (const file of ['.git/hooks/pre-commit', 'src/../.git/hooks/pre-commit', at('project/.git/hooks/pre-push'), 'docs/pre-commit'])
      expect(decide('Write', { file_path: file }), file).not.toBe('none');
  });

  test('where a link leads is told', () => {
    const [finding] = guardTool('Write', { file_path: 'docs/pre-commit' }, options).findings;
    expect(finding?.text).toBe(`docs/pre-commit → ${at('project/.git/hooks/pre-commit')}`.slice(0, 120));
    expect(finding?.path).toBe(at('project/.git/hooks/pre-commit'));
  });

  test('a patch is judged by the files in it', () => {
    expect(decide('apply_patch', { input: '*** Begin Patch\n*** Add File: src/a.ts\n+x\n*** End Patch' })).toBe('none');
    expect(decide('apply_patch', { input: '*** Begin Patch\n*** Add File: .git/hooks/post-checkout\n+x\n*** End Patch' })).not.toBe('none');
    expect(decide('apply_patch', { input: 'hello' })).toBe('ask');
  });

  test('a file of the project may be deleted; a folder goes with all that is in it', () => {
    expect(decide('delete_file', { path: 'src/old.ts' })).toBe('none');
    expect(decide('delete_file', { path: '.' })).toBe('deny');
    expect(decide('delete_directory', { path: '.git' })).not.toBe('none');
    expect(decide('move_file', { source: '.git/hooks/x', destination: 'x' })).not.toBe('none');
  });

  test('a private key is not to be read; the rest may be', () => {
    expect(decide('Read', { file_path: '~/.ssh/id_ed25519' })).not.toBe('none');
    expect(decide('Read', { file_path: 'README.md' })).toBe('none');
  });

  test('a change whose file is not said, or can not be one, is uncertain', () => {
    expect(decide('Write', { content: 'x' })).toBe('ask');
    expect(decide('Write', { file_path: 'a\0b' })).toBe('ask');
    expect(decide('Read', {})).toBe('none');
  });
});

test('an input that is no data is denied, and it does not throw', () => {
  const hostile = {
    get command(): never {
      throw new Error('no');
    },
  };
  expect(guardTool('Bash', hostile, options)).toMatchObject({ decision: 'deny', complete: false, findings: [{ rule: 'guard-failed' }] });
});

test('nothing makes it throw', () => {
  for (const tool of ['Bash', 'Write', 'apply_patch', 'x', '', '__proto__', 'constructor', 'a'.repeat(100_000)])
    for (const input of [
      { __proto__: null },
      { command: { toString: 7 } },
      Array.from({ length: 9000 }, () => ({ path: 'x' })),
      '{"a":',
      Symbol.iterator.toString(),
    ])
      expect(['none', 'ask', 'deny']).toContain(decide(tool, input));
});
