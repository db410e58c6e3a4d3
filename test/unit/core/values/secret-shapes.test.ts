/** The shapes by which a secret is recognised in text: where each begins, where it ends, and how short it may be. */
import { describe, expect, test } from 'vitest';
import { MASK, redact, redactText } from '../../../../src/core/values/redact.ts';

/** A prefix, the fewest characters that make it a secret, and the characters that belong to it. */
const PREFIXED: readonly (readonly [prefix: string, fewest: number, characters: string])[] = [
  ['sk-', 12, 'aZ0_-'],
  ['sk_', 12, 'aZ0'],
  ['pk_live_', 12, 'aZ0'],
  ['rk-a-b1-c_', 12, 'aZ0'],
  ['ghp_', 16, 'aZ0'],
  ['gho_', 16, 'aZ0'],
  ['ghu_', 16, 'aZ0'],
  ['ghs_', 16, 'aZ0'],
  ['ghr_', 16, 'aZ0'],
  ['github_pat_', 16, 'aZ0_'],
  ['glpat-', 16, 'aZ0_-'],
  ['xoxb-', 8, 'aZ0-'],
  ['xoxp-', 8, 'aZ0-'],
  ['AKIA', 12, 'AZ0'],
  ['ASIA', 12, 'AZ0'],
  ['AROA', 12, 'AZ0'],
  ['AIDA', 12, 'AZ0'],
  ['AIza', 30, 'aZ0_-'],
  ['npm_', 30, 'aZ0'],
  ['hf_', 20, 'aZ0'],
];

const filled = (length: number, characters: string): string => characters.repeat(length).slice(0, length);

describe.each(PREFIXED)('%s', (prefix, fewest, characters) => {
  test('the shortest one is masked as a whole, and the text around it stays', () => {
    expect(redactText(`use ${prefix}${filled(fewest, characters)} here`)).toBe(`use ${MASK} here`);
  });

  test('a long one is masked as a whole', () => {
    expect(redactText(`(${prefix}${filled(fewest * 3, characters)})`)).toBe(`(${MASK})`);
  });

  test('a shorter one is none', () => {
    // Parts with separators count as the secret itself, so only the bare prefix has an exact limit.
    const text = `use ${prefix}${filled(prefix.split(/[-_]/).length > 2 && prefix !== 'github_pat_' ? 1 : fewest - 1, characters)} here`;
    expect(redactText(text)).toBe(text);
  });

  test('in the middle of a word it is none', () => {
    const text = `a${prefix}${filled(fewest, characters)}`;
    expect(redactText(text)).toBe(text);
  });
});

test.each([
  ['-----BEGIN PRIVATE KEY-----\nab c\n-----END PRIVATE KEY-----'],
  ['-----BEGIN RSA PRIVATE KEY-----\nab c\n-----END RSA PRIVATE KEY-----'],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nab c\n-----END PGP PRIVATE KEY BLOCK-----'],
  ['-----BEGIN X25519 PRIVATE KEY-----\n\n-----END X25519 PRIVATE KEY-----'],
])('a private key is masked from its first line to its last (%j)', (key) => {
  expect(redactText(`before ${key} after`)).toBe(`before ${MASK} after`);
  expect(redactText(`${key}|${key}`)).toBe(`${MASK}|${MASK}`);
});

test('a private key without an end is masked to the end of the text', () => {
  expect(redactText('before -----BEGIN EC PRIVATE KEY-----\nab\n\ncd ef')).toBe(`before ${MASK}`);
});

test('a public key is none', () => {
  const key = '-----BEGIN PUBLIC KEY-----\nab\n-----END PUBLIC KEY-----';
  expect(redactText(key)).toBe(key);
});

test.each([
  ['postgres://ann:pw@db/app', `postgres://ann:${MASK}@db/app`],
  ['x://a:b@h', `x://a:${MASK}@h`],
  ['redis://:pw@h', `redis://:${MASK}@h`],
  ['git+ssh.v-2://ann:a:b@h', `git+ssh.v-2://ann:${MASK}@h`],
  ['MONGODB://Ann:pw@h', `MONGODB://Ann:${MASK}@h`],
])('the password in an address is masked and nothing else of it (%s)', (text, shown) => {
  expect(redactText(`open ${text} now`)).toBe(`open ${shown} now`);
});

test.each(['https://host:8080/path', 'https://ann@host/path', 'https://host/a:b@c', 'http://host:80 ann@example.com', '"http://a:"b@c'])(
  'an address without a password stays (%s)',
  (text) => {
    expect(redactText(text)).toBe(text);
  },
);

test.each([
  ['Bearer abcdef', `Bearer ${MASK}`],
  ['bearer    A.b_~+/=-0', `bearer    ${MASK}`],
  ['Basic YWJjZA==', `Basic ${MASK}`],
  ['authorization: abc', `authorization: ${MASK}`],
  ['"Authorization": "abc"', `"Authorization": "${MASK}"`],
  ["authorization='abc'; x", `authorization='${MASK}'; x`],
  ['authorization = abc, x', `authorization = ${MASK}, x`],
  ['Authorization: Basic YWJjZA==', `Authorization: Basic ${MASK}`],
])('credentials in a header are masked, their scheme is not (%s)', (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

test.each([
  'Bearer abcde',
  'Bearer of bad news',
  'forBearer abcdef',
  'authorization: ab',
  'Authorization: Basic abc',
  'preauthorization: abc',
])('a header without credentials stays (%s)', (text) => {
  expect(redactText(text)).toBe(text);
});

const WORDS = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'secretkey', 'secret_key', 'secret-access-key', 'secret_access_key', 'token'],
  ...['secretaccesskey', 'apikey', 'api_key', 'api-key', 'access_key', 'accesskey', 'private-key', 'credential', 'credentials', 'TOKEN'],
];

test.each(WORDS)('the value after `%s` is masked, however it is written', (word) => {
  expect(redactText(`${word}=abc def`)).toBe(`${word}=${MASK} def`);
  expect(redactText(`"${word}" : abc; x`)).toBe(`"${word}" : ${MASK}; x`);
  expect(redactText(`MY_${word}="a b, c" x`)).toBe(`MY_${word}="${MASK}" x`);
  expect(redactText(`{"${word}": "a"}`)).toBe(`{"${word}": "${MASK}"}`);
  expect(redactText(`run --${word} x y`)).toBe(`run --${word} ${MASK} y`);
  expect(redactText(`run -my2-${word}   'x' y`)).toBe(`run -my2-${word}   '${MASK}' y`);
});

test.each(['token=ab', 'token is long', '--token --next', 'run --token', 'token="" x', 'apiikey=abc', 'credentialss=abc'])(
  'a secret word without a value is none (%s)',
  (text) => {
    expect(redactText(text)).toBe(text);
  },
);

test.each([`?token=abc&x=1`, `(token=abc)`, `{token:abc}`, `[token=abc]`, `token=abc|less`, `token=abc'`])(
  'a value ends where its text does (%s)',
  (text) => {
    expect(redactText(text)).toBe(text.replace('abc', MASK));
  },
);

test.each([['eyJabcdef.abcd.'], ['eyJhbGci_-0.eyJz_-0.sig_-0']])('a signed token is masked with all of its parts (%s)', (token) => {
  expect(redactText(`use ${token} here`)).toBe(`use ${MASK} here`);
});

test.each(['eyJabcde.abcd.x', 'eyJabcdef.abc.x', 'eyJabcdef.abcd', 'aeyJabcdef.abcd.x'])(
  'a text that is no signed token stays (%s)',
  (text) => {
    expect(redactText(text)).toBe(text);
  },
);

test('a secret is masked each time it is met, and a clean text stays clean', () => {
  const secret = `ghp_${'a'.repeat(16)}`;
  for (const _ of [1, 2, 3]) {
    expect(redactText(secret)).toBe(MASK);
    expect(redact({ [secret]: 1 })).toEqual({ value: { [MASK]: 1 }, masked: [`/${MASK}`] });
    expect(redactText('clean')).toBe('clean');
  }
});

test('a value stays what it was after thousands of others', () => {
  for (let i = 0; i < 2_500; i++) expect(redact({ [`key${i}`]: `text ${i}` })).toEqual({ value: { [`key${i}`]: `text ${i}` }, masked: [] });
  expect(redact({ key1: 'text 1', token: 'x' })).toEqual({ value: { key1: 'text 1', token: MASK }, masked: ['/token'] });
});

test.each([
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'secretKey', 'token', 'apikey', 'accessKey', 'AccessKeyId', 'privateKey'],
  ...['signingKey', 'encryptionKey', 'authorization', 'authToken', 'cookie', 'Set-Cookie', 'credential', 'credentials', 'ConnectionString'],
])('a value under the key `%s`, or a longer key that ends so, is masked', (key) => {
  expect(redact({ [key]: 1, [`my.${key}`]: ['a'] })).toEqual({
    value: { [key]: MASK, [`my.${key}`]: MASK },
    masked: [`/${key}`, `/my.${key}`],
  });
  expect(redact({ [`${key}x`]: 1 }).masked).toEqual([]);
});

test('a secret key without a value, or with a mere yes or no, hides nothing', () => {
  const value = { token: null, secret: true, password: false, cookie: '', pwd: undefined };
  expect(redact(value)).toEqual({ value, masked: [] });
  expect(redact({ token: 0 })).toEqual({ value: { token: MASK }, masked: ['/token'] });
});

test('a value is shown to a depth of one hundred, and masked as a whole below', () => {
  const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : [nested(depth - 1, inner)]);
  const shown = nested(100, 'x') as never;
  expect(redact(shown)).toEqual({ value: shown, masked: [] });
  expect(redact(nested(100, ['x']) as never)).toEqual({ value: nested(100, MASK), masked: ['/0'.repeat(100)] });
  const maps = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { a: maps(depth - 1, inner) });
  expect(redact(maps(100, { a: 'x' }) as never)).toEqual({ value: maps(100, MASK), masked: ['/a'.repeat(100)] });
});

test('a masked value says that it is one', () => {
  expect(redactText('token=abc')).toBe('token=[redacted]');
});
