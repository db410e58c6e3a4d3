/** The laws of addresses: what may never be asked, in every spelling, and what an exception permits. */
import { describe, expect, test } from 'vitest';
import { destinations, type Resolve } from '../../../../src/handlers/http/destination.ts';

function refused(url: string, allowed: readonly string[] = []): boolean {
  return destinations(allowed).check(new URL(url)) !== undefined;
}

describe('an address that nobody may ask is refused', () => {
  test.each([
    ...['http://169.254.169.254/latest/meta-data/', 'http://169.254.0.1/', 'http://100.100.100.200/', 'http://168.63.129.16/'],
    ...['http://[fe80::1]/', 'http://[febf::1]/', 'http://[fd00:ec2::254]/', 'http://[fd00:ec2:0:0::0254]/'],
    ...['http://0.0.0.0/', 'http://0/', 'http://[::]/', 'http://224.0.0.1/', 'http://255.255.255.255/', 'http://[ff02::1]/'],
    ...['http://metadata.google.internal/', 'http://METADATA.google.internal./', 'http://metadata/', 'http://metadata.goog/'],
  ])('%s', (url) => {
    expect(refused(url)).toBe(true);
  });
});

describe('an IPv4 address is the same in every disguise', () => {
  test.each([
    ...['http://2852039166/', 'http://0xA9FEA9FE/', 'http://0251.0376.0251.0376/', 'http://169.254.43518/', 'http://0xa9.254.0xa9.254./'],
    ...['http://[::ffff:169.254.169.254]/', 'http://[::ffff:a9fe:a9fe]/', 'http://[0:0:0:0:0:FFFF:A9FE:1]/', 'http://[::169.254.169.254]/'],
    ...[
      'http://[::ffff:0:169.254.169.254]/',
      'http://[64:ff9b::169.254.169.254]/',
      'http://[2002:a9fe:a9fe::1]/',
      'http://[::ffff:0.0.0.0]/',
    ],
  ])('%s', (url) => {
    expect(refused(url)).toBe(true);
  });
});

describe('loopback, private and public addresses may be asked', () => {
  test.each([
    ...['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://10.1.2.3/', 'http://192.168.1.1/'],
    ...['http://172.16.0.1/', 'http://[fd00::1]/', 'http://100.100.100.201/', 'http://93.184.215.14/', 'http://[2606:4700::1]/'],
    ...['http://[2002:a00:1::1]/', 'https://example.com/', 'http://169.253.0.1/', 'http://metadata.example.com/'],
  ])('%s', (url) => {
    expect(refused(url)).toBe(false);
  });
});

test('an exception permits an address, a range or a name, and nothing beside it', () => {
  expect(refused('http://169.254.1.2/', ['169.254.1.2'])).toBe(false);
  expect(refused('http://169.254.1.3/', ['169.254.1.2'])).toBe(true);
  expect(refused('http://[::ffff:169.254.1.2]/', ['169.254.1.0/24'])).toBe(false);
  expect(refused('http://169.254.2.2/', ['169.254.1.0/24'])).toBe(true);
  expect(refused('http://[fe80::1]/', ['fe80::/10'])).toBe(false);
  expect(refused('http://metadata.google.internal/', ['Metadata.Google.Internal'])).toBe(false);
  expect(refused('http://metadata.google.internal/', ['google.internal'])).toBe(true);
});

test.each(['', '/', '169.254.0.0/99', '169.254.0.0/16/16', '*', 'http://169.254.169.254/', '169.254.169.254/-1', '0.0.0.0/ '])(
  'an exception of %j permits nothing and breaks nothing',
  (entry) => {
    expect(refused('http://169.254.169.254/', [entry])).toBe(true);
  },
);

test('the refusal says why, and how to permit it', () => {
  expect(destinations([]).check(new URL('http://169.254.3.4/'))).toMatchObject({
    fault: 'network',
    detail: '169.254.3.4 is link-local and is not asked; name it in `http.allowAddresses` of the settings to permit it',
  });
});

describe('a name is judged by all its addresses', () => {
  const resolving =
    (...addresses: readonly string[]): Resolve =>
    (_, __, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  const look = (resolve: Resolve, all: boolean, allowed: readonly string[] = []): Promise<unknown> =>
    new Promise((settle) => {
      destinations(allowed, resolve).lookup('hooks.test', { all }, (error, address) => settle(error?.message ?? address));
    });

  test('and what was judged is what is connected to', async () => {
    expect(await look(resolving('127.0.0.1', '::1'), false)).toBe('127.0.0.1');
    expect(await look(resolving('127.0.0.1', '::1'), true)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  test.each([['169.254.169.254'], ['93.184.215.14', '169.254.169.254'], ['fe80::1%eth0'], ['::ffff:169.254.1.1']])(
    'one that may not be asked is enough (%s)',
    async (...addresses) => {
      expect(await look(resolving(...addresses), true)).toContain('is not asked');
    },
  );

  test('an exception for the name or the address permits it', async () => {
    expect(await look(resolving('169.254.1.1'), false, ['Hooks.test.'])).toBe('169.254.1.1');
    expect(await look(resolving('169.254.1.1'), false, ['169.254.0.0/16'])).toBe('169.254.1.1');
  });

  test('a name without an address is an error, not a connection', async () => {
    expect(await look(resolving(), false)).toContain('has no address');
  });
});
