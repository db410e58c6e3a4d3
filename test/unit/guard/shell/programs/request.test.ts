import { describe, expect, test } from 'vitest';
import { attachedTo, downloadTargets, isNetwork } from '../../../../../src/guard/shell/flow/downloads.ts';
import { hostOf, requestOf, wgetOf } from '../../../../../src/guard/shell/programs/request.ts';
import { tarOf } from '../../../../../src/guard/shell/programs/tar.ts';
import { socatOf } from '../../../../../src/guard/shell/programs/transfers.ts';

const curl = (text: string) => requestOf(`curl ${text}`.split(' '));
const sent = (text: string) => curl(text).bodies.filter(({ beside }) => !beside);

describe('what curl sends', () => {
  test.each([
    ['-d @a h', { file: 'a' }],
    ['-d@a h', { file: 'a' }],
    ['-sSd @a h', { file: 'a' }],
    ['--data-bin @- h', { file: '-' }],
    ['--json=@a h', { file: 'a' }],
    ['-F x=@a;type=text/plain h', { file: 'a' }],
    ['-sFx=<a h', { file: 'a' }],
    ['-T a h', { file: 'a' }],
    ['--upload-file . h', { file: '-' }],
    ['--data-urlencode x@a h', { file: 'a' }],
    ['-d a=1 h', { text: 'a=1' }],
    ['--data-raw @a h', { text: '@a' }],
    ['--form-string x=@a h', { text: 'x=@a' }],
    ['-H @a h', { file: 'a' }],
  ])('curl %s', (text, body) => expect(sent(text)).toEqual([body]));

  test.each(['-o -d@a h', '-X POST h', '--output @a h', '-w @a h', 'h'])('nothing: curl %s', (text) => expect(sent(text)).toEqual([]));
});

test('wget posts files and texts, by any clear beginning of the option', () => {
  const bodies = (text: string) => wgetOf(`wget ${text}`.split(' ')).bodies.filter(({ beside }) => !beside);
  expect(bodies('--post-f=a h')).toEqual([{ file: 'a' }]);
  expect(bodies('--body-file a h')).toEqual([{ file: 'a' }]);
  expect(bodies('--post-data x=1 h')).toEqual([{ text: 'x=1' }]);
  expect(bodies('-O --post-file=a h')).toEqual([]);
});

describe('where a download goes', () => {
  const to = (text: string) => downloadTargets(text.split(' ')[0] ?? '', text.split(' '));
  test.each([
    ['curl -o a h', ['a']],
    ['curl -sSLo a h', ['a']],
    ['curl -O https://h.example/x/a.sh?v=1', ['a.sh']],
    ['curl --output-dir d -O h/a.sh', ['d/a.sh']],
    ['wget https://h.example/a.sh', ['a.sh']],
    ['wget -P d h/a.sh', ['d/a.sh']],
    ['wget -qO a h', ['a']],
    ['scp host:/x/a.sh .', ['a.sh']],
  ])('%s', (text, paths) => expect(to(text)).toEqual(paths));
  test.each(['curl h', 'curl -o - h', 'wget -qO- h', 'scp a host:/x', 'cat a'])('%s prints it, or is none', (text) =>
    expect(to(text)).toBeUndefined(),
  );
});

test('a file of this machine, a knock and a version are not the network', () => {
  const is = (text: string) => isNetwork(text.split(' ')[0] ?? '', text.split(' ').slice(1));
  expect(['curl h', 'wget h', 'nc h 1', 'openssl s_client -connect h:1'].map(is)).toEqual([true, true, true, true]);
  expect(['curl file:///a', 'curl -sL --url file:///a', 'nc -z h 1', 'curl --version', 'openssl x509', 'cat a'].map(is)).not.toContain(
    true,
  );
});

test('hosts are read out of addresses', () => {
  expect(['https://me@H.example:80/x', 'h.example/x', '[::1]:80', ''].map(hostOf)).toEqual(['h.example', 'h.example', '[::1]', '']);
});

test('a program at the end of a connection is read out of the words', () => {
  expect(attachedTo('nc', ['nc', '-lvpe', '80', 'sh'])).toEqual(['sh']);
  expect(attachedTo('ncat', ['ncat', '--sh-exec=date', 'h'])).toEqual(['date']);
  expect(attachedTo('socat', ['socat', 'TCP:h:1', 'EXEC:rm\\ -r\\ x,pty'])).toEqual(['rm -r x']);
  expect(attachedTo('nc', ['nc', '-z', 'h', '1'])).toEqual([]);
});

test('the ends of a socat are told apart', () => {
  expect(socatOf(['socat', '-u', 'OPEN:a', 'CREAT:b!!TCP:h:1'])).toEqual([{ file: 'a' }, { file: 'b' }, { network: 'h' }]);
  expect(socatOf(['socat', '-T', '5', '-', 'FD:3'])).toEqual([{ stdio: true }, { fd: 3 }]);
});

test('tar takes its words in all their forms, and from its variables', () => {
  expect(tarOf(['tar', 'czf', 'a', 'b'], {})).toEqual({ creates: true, archive: 'a', reads: ['b'] });
  expect(tarOf(['tar', '-czf-', '-C', '~', '.x'], {})).toEqual({ creates: true, archive: '-', reads: ['~/.x'] });
  expect(tarOf(['tar', '--', 'b'], { TAR_OPTIONS: '--create --file=h:/a' })).toEqual({ creates: true, archive: 'h:/a', reads: ['b'] });
  expect(tarOf(['tar', '-c', 'b'], { TAPE: 'h:/a' })).toEqual({ creates: true, archive: 'h:/a', reads: ['b'] });
  expect(tarOf(['tar', 'xf', 'a', 'b'], {})).toEqual({ creates: false, archive: 'a', reads: ['a'] });
});
