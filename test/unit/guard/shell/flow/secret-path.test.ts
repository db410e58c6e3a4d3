import { describe, expect, test } from 'vitest';
import { contentOf, privateIn, secretIn } from '../../../../../src/guard/shell/flow/secret-path.ts';
import { WrittenFiles } from '../../../../../src/guard/shell/flow/written.ts';
import { KEYS, PRIVATE, SECRET } from '../../../../../src/guard/shell/marks.ts';

describe('a path that holds secrets', () => {
  test.each([
    ['~/.ssh/id_rsa', 'key'],
    ['/home/ann/.ssh/work', 'key'],
    ['/Users/ann/.SSH/ID_RSA', 'key'],
    ['/root/.aws/credentials', 'credential'],
    ['.ssh/deploy', 'key'],
    ['backup/.kube/config', 'credential'],
    ['~/.config/tool/credentials.json', 'credential'],
    ['/proc/17/environ', 'credential'],
    ['/proc/self/root/etc/shadow', 'credential'],
    ['file:///home/ann/.netrc', 'credential'],
    ['~/x/../.pgpass', 'credential'],
    ['apps/web/.env', 'settings'],
    ['.env.production', 'settings'],
    ['tls/site.pem', 'key-file'],
    ['~/.zsh_history', 'history'],
    ['~/.ssh', 'folder'],
    ['/home/ann/.gnupg/', 'folder'],
    ['C:\\Users\\ann\\.ssh\\id_rsa', 'key'],
  ])('%s is told as %s', (path, kind) => expect(secretIn(path)).toBe(kind));

  test.each([
    '.env?',
    '.env*',
    '.e[mn]v',
    '/home/*/.aws/credentials',
    '~/.aws/cred*',
    '~/.s?h/id_*',
    '~/.ssh/*',
    '*.pem',
    '\uE000/.env',
    '~/.ssh/\uE000',
  ])('%j could be one in particular', (path) => expect(secretIn(path)).toBeDefined());

  test('it counts from the folder the command is in, and from the home that is told', () => {
    expect(secretIn('work', '~/.ssh')).toBe('key');
    expect(secretIn('/srv/ann/library/keychains/x', '', '/srv/ann')).toBe('credential');
    expect(secretIn('/srv/ann/library/keychains/x')).toBeUndefined();
  });

  test.each([
    '.env.example',
    '.env.local.sample',
    '.envrc',
    '.environment',
    'src/env.ts',
    '~/.ssh/id_rsa.pub',
    '~/.ssh/known_hosts',
    '~/.ssh/config',
    '~/.gnupg/gpg.conf',
    'test/fixtures/site.key',
    'cert.pem',
    'README.md',
    '*',
    'src/*',
    '*.json',
    '.*',
    'cat ~/.ssh/id_rsa',
    '.env.local is missing',
    'https://files.example/site.pem',
    '',
    'a\n.env',
    'x'.repeat(5000),
  ])('%j is none', (path) => expect(secretIn(path)).toBeUndefined());
});

test('what is nobody else’s business is no secret', () => {
  expect([privateIn('/etc/passwd'), privateIn('certs/'), privateIn('a/keys/*'), privateIn('src')]).toEqual([
    'file',
    'folder',
    'folder',
    undefined,
  ]);
});

test('a file holds what the script has put there, else the mark of its kind', () => {
  const files = new WrittenFiles();
  files.set('.env', 'A=1');
  expect(contentOf('.env', '', files)).toBe('A=1');
  expect(contentOf('.env.local', '', files)).toContain(SECRET);
  expect(contentOf('/etc/passwd', '', files)).toContain(PRIVATE);
  expect(contentOf('certs/*', '', files)).toContain(KEYS);
  expect(contentOf('a.txt', '', files)).toBeUndefined();
});
