/** The values that a condition can test: those of every facet, and the commands of a shell line. */
import { describe, expect, test } from 'vitest';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import { commandsOf, DYNAMIC_FACETS, type Facet, facetValues, soleValue, targetsOf, UNTOLD } from '../../../../src/core/event/facet.ts';

describe('a facet', () => {
  test.each<[Facet, EventKind, HookEvent['data'], readonly string[] | undefined]>([
    ['tool', 'tool.before', { tool: 'Bash' }, ['Bash']],
    ['tool', 'tool.before', { tool: 1 }, undefined],
    ['toolTail', 'tool.before', { tool: 'mcp.server.read' }, ['read']],
    ['toolTail', 'tool.before', { tool: 'read' }, ['read']],
    ['toolTail', 'tool.before', {}, undefined],
    ['agent', 'tool.before', { agent: 'main' }, ['main']],
    ['subagent', 'subagent.before', { name: 'reviewer' }, ['reviewer']],
    ['subagent', 'teammate.idle', { name: 'reviewer' }, undefined],
    ['skill', 'skill.after', { skill: 'deploy' }, ['deploy']],
    ['skill', 'tool.before', { skill: 'deploy' }, undefined],
    ['model', 'llm.before', { model: 'm' }, ['m']],
    ['channel', 'message.sent', { channel: 'c' }, ['c']],
    ['user', 'message.sent', { user: 'u' }, ['u']],
    ['text', 'prompt.submit', { prompt: 'p', content: 'c' }, ['p']],
    ['text', 'message.sent', { content: 'c' }, ['c']],
    ['text', 'message.sent', { content: [] }, undefined],
    ['cause', 'session.start', { source: 's', reason: 'r', type: 't' }, ['s']],
    ['cause', 'session.end', { reason: 'r', type: 't' }, ['r']],
    ['cause', 'notification', { type: 't' }, ['t']],
    ['subject', 'cwd.changed', { to: 't', server: 's', command: 'c', path: '/p' }, ['t']],
    ['subject', 'elicitation.before', { server: 's', command: 'c', path: '/p' }, ['s']],
    ['subject', 'prompt.expand', { command: 'c', path: '/p' }, ['c']],
    ['subject', 'file.changed', { path: '/a/b/c.txt' }, ['c.txt']],
    ['subject', 'file.changed', { path: 'C:\\a\\c.txt' }, ['c.txt']],
    ['subject', 'file.changed', { path: 'c.txt' }, ['c.txt']],
    ['subject', 'file.changed', { path: 1 }, undefined],
    ['target', 'tool.before', { input: { path: '/a' } }, ['/a']],
    ['input', 'tool.before', { input: null }, undefined],
    ['input', 'tool.before', {}, undefined],
    ['input', 'tool.before', { input: '' }, ['', '""']],
  ])('%s of %s with %j', (facet, kind, data, values) => {
    expect(facetValues(eventOf(kind, data), facet)).toEqual(values);
    expect(soleValue(eventOf(kind, data), facet)).toBe(values === undefined ? undefined : values.length === 1 ? values[0] : null);
  });

  test('input is every text in it, in the order written, and the whole as JSON', () => {
    const input = { a: 'one', b: [{ c: 'two' }, 'three', 4, null, true], d: { e: 'four' } };
    expect(facetValues(eventOf('tool.before', { input }), 'input')).toEqual(['one', 'two', 'three', 'four', JSON.stringify(input)]);
  });

  test('a tool also goes by the names other agents have for it', () => {
    const event = { ...eventOf('tool.before', { tool: 'ns.Bash' }), toolAliases: ['Shell', 'exec'] };
    expect(facetValues(event, 'tool')).toEqual(['ns.Bash', 'Shell', 'exec']);
    expect(facetValues(event, 'toolTail')).toEqual(['Bash', 'Shell', 'exec']);
    expect(facetValues({ ...event, data: {} }, 'tool')).toBeUndefined();
    expect(soleValue(event, 'tool')).toBeNull();
    expect(soleValue({ ...event, toolAliases: [] }, 'tool')).toBe('ns.Bash');
    expect(soleValue({ ...event, data: {} }, 'tool')).toBeUndefined();
  });

  test('that changes with every call is not remembered by', () => {
    expect([...DYNAMIC_FACETS]).toEqual(['input', 'text', 'target']);
  });
});

describe('the targets of an input', () => {
  test('are its command, else its paths, else its address', () => {
    for (const key of ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path'])
      expect(targetsOf({ [key]: '/a' })).toEqual(['/a']);
    expect(targetsOf({ path: '/b', file_path: '/a', url: 'https://x.y' })).toEqual(['/a', '/b']);
    expect(targetsOf({ command: 'id', path: '/a' })).toEqual(['id']);
    expect(targetsOf({ command: ['git', 1, 'push', null] })).toEqual(['git push']);
    expect(targetsOf({ cmd: 'id' })).toEqual(['id']);
    expect(targetsOf({ commands: ['git push', 'id && ls', 1] })).toEqual(['git push', 'id && ls', 'id', 'ls']);
    expect(targetsOf({ commands: 'id' })).toEqual(['id']);
    expect(targetsOf({ command: 'ls', commands: ['id'] })).toEqual(['ls', 'id']);
    expect(targetsOf({ url: 'https://u@example.com:8/x' })).toEqual(['domain:example.com', 'https://u@example.com:8/x']);
    for (const url of ['not an address', 1, ['https://x.y']]) expect(targetsOf({ url } as never)).toBeUndefined();
  });
});

describe('the commands of a line', () => {
  test.each<[line: string, commands: readonly string[]]>([
    ['a && b || c; d | e & f', ['a && b || c; d | e & f', 'a', 'b', 'c', 'd', 'e', 'f']],
    ['a\nb', ['a\nb', 'a b', 'a', 'b']],
    ['(a)', ['(a)', 'a']],
    ['echo "a; b"', ['echo "a; b"', 'echo a; b']],
    ["echo 'a; b'", ["echo 'a; b'", 'echo a; b']],
    ['echo "it\'s; x"', ['echo "it\'s; x"', 'echo its; x']],
    ["echo 'say \"x; y'", ["echo 'say \"x; y'", 'echo say x; y']],
    ['echo \\; b', ['echo \\; b', 'echo ; b']],
    ["echo 'a\\'; b", ["echo 'a\\'; b", 'echo a; b', "echo 'a\\'", 'echo a', 'b']],
    ['echo "a\\"; b"', ['echo "a\\"; b"', 'echo a; b']],
    ['echo "{a}"', ['echo "{a}"', 'echo {a}']],
    ['a 2>&1 b', ['a 2>&1 b', 'a b']],
    ['a &> f', ['a &> f', 'a']],
    ['a &>f b', ['a &>f b', 'a b']],
    ['a & b', ['a & b', 'a', 'b']],
    ['a > f & b', ['a > f & b', 'a & b', 'a > f', 'a', 'b']],
    ['a >>f', ['a >>f', 'a']],
    ['a>|f', ['a>|f', 'a', 'a>', 'f']],
    ['a 12>file b', ['a 12>file b', 'a b']],
    ['a >  file', ['a >  file', 'a']],
    ['a # b', ['a # b', 'a']],
    ['# all of it', ['# all of it']],
    ['a#b', ['a#b']],
    ['A=1 B="x y" C=\'u v\'  cmd', ['A=1 B="x y" C=\'u v\'  cmd', 'cmd']],
    ['A= cmd B=2', ['A= cmd B=2', 'cmd B=2']],
    ['xargs  rm', ['xargs  rm', 'rm']],
    ['xargs -n 1 rm', ['xargs -n 1 rm']],
    ['do   !  rm', ['do   !  rm', 'rm']],
    ['echo if x', ['echo if x']],
    ['"git"  push', ['"git"  push', 'git push']],
    ['  a  ', ['a']],
    ['showcase x', ['showcase x']],
    ['a case x', ['a case x']],
    ['', []],
  ])('%j', (line, commands) => {
    expect(commandsOf(line)).toEqual(commands);
  });

  test.each([
    'f( ) x',
    'f() x',
    '(a)  & b',
    '(a)& b',
    ' case x',
    'a; select x',
    'echo "$x"',
    "echo $'x'",
    'echo $@',
    'echo "`x`"',
    '"a',
    'a >(b)',
  ])('%j cannot be told apart', (line) => {
    expect(commandsOf(line).at(-1)).toBe(UNTOLD);
  });

  test.each(['(a) && b', "echo '$x'", 'echo \\$x', 'echo "a$"', 'echo "<<"', 'echo "a(b)"'])('%j can be told apart', (line) => {
    expect(commandsOf(line)).not.toContain(UNTOLD);
  });

  test('no command is taken for the one that cannot be told', () => {
    expect(UNTOLD).toBe('\0');
  });
});

function eventOf(kind: EventKind, data: HookEvent['data']): HookEvent {
  return { id: 'e', kind, at: '', session: { id: 's', cwd: '/' }, data };
}
