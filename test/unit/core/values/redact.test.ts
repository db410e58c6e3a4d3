import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json } from '../../../../src/core/values/json.ts';
import { MASK, redact, redactText, redactWithin } from '../../../../src/core/values/redact.ts';

const alphanumeric = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'), minLength: length, maxLength: length });
const upper = fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZ23456789'), minLength: 16, maxLength: 16 });

/** Every name of a secret in text. */
const NAMES = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'secret_key', 'secret-access-key', 'token'],
  ...['api_key', 'apikey', 'access-key', 'private_key', 'credential', 'credentials'],
];
const ANY_CASE_PREFIXES = ['sk-', 'sk_', 'pk-', 'pk_live_', 'rk-', 'rk_', 'Bearer ', 'Basic ', 'authorization: '];
const PREFIXES = ['gho_', 'ghp_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'xoxb-', 'AIza', 'npm_', 'hf_'];

const inAnyCase = (words: readonly string[]) =>
  fc.tuple(fc.constantFrom(...words), fc.constantFrom('lower', 'upper', 'as it is')).map(([word, how]) => {
    return how === 'lower' ? word.toLowerCase() : how === 'upper' ? word.toUpperCase() : word;
  });

/** Secrets with the part of them that must not survive. */
const secret = fc.oneof(
  fc.tuple(inAnyCase(NAMES), fc.constantFrom('=', ': ', '="'), alphanumeric(12)).map(([name, sign, core]) => ({
    core,
    text: `${name}${sign}${core}`,
  })),
  fc.tuple(inAnyCase(NAMES), alphanumeric(12)).map(([name, core]) => ({ core, text: `--${name} ${core}` })),
  fc.tuple(inAnyCase(ANY_CASE_PREFIXES), alphanumeric(36)).map(([prefix, core]) => ({ core, text: `${prefix}${core}` })),
  fc.tuple(fc.constantFrom(...PREFIXES), alphanumeric(36)).map(([prefix, core]) => ({ core, text: `${prefix}${core}` })),
  fc.tuple(fc.constantFrom('AKIA', 'ASIA', 'AROA', 'AIDA'), upper).map(([prefix, core]) => ({ core, text: `${prefix}${core}` })),
  alphanumeric(24).map((core) => ({ core, text: `sk-${core}` })),
  alphanumeric(24).map((core) => ({ core, text: `sk-proj-${core}` })),
  alphanumeric(36).map((core) => ({ core, text: `ghp_${core}` })),
  alphanumeric(40).map((core) => ({ core, text: `github_pat_${core}` })),
  upper.map((core) => ({ core, text: `AKIA${core}` })),
  alphanumeric(20).map((core) => ({ core, text: `xoxb-123456789-${core}` })),
  alphanumeric(30).map((core) => ({ core, text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${core}` })),
  alphanumeric(64).map((core) => ({ core, text: `-----BEGIN RSA PRIVATE KEY-----\n${core}\n-----END RSA PRIVATE KEY-----` })),
  alphanumeric(64).map((core) => ({ core, text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${core}` })),
  alphanumeric(20).map((core) => ({ core, text: `Bearer ${core}` })),
  alphanumeric(12).map((core) => ({ core, text: `postgres://ann:${core}@db.example/app` })),
  alphanumeric(12).map((core) => ({ core, text: `API_KEY=${core}` })),
  alphanumeric(12).map((core) => ({ core, text: `{"db_password": "${core}"}` })),
  alphanumeric(12).map((core) => ({ core, text: `deploy --auth-token ${core}` })),
);

const around = fc.constantFrom(
  (text: string): Json => text,
  (text: string): Json => `curl -H 'x: 1' ${text} && echo done`,
  (text: string): Json => ({ input: { command: text } }),
  (text: string): Json => [1, null, { deep: [[{ text: `before ${text} after` }]] }],
  (text: string): Json => ({ [`key ${text}`]: true }),
);

test('no planted secret survives, wherever it stands', () => {
  fc.assert(
    fc.property(secret, around, ({ core, text }, wrap) => {
      const { value, masked } = redact(wrap(text));
      expect(JSON.stringify(value)).not.toContain(core);
      expect(masked.join()).not.toContain(core);
      expect(masked.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});

test('what stands under a secret key is masked whatever its shape', () => {
  const spelling = fc.constantFrom(
    'password',
    'API_KEY',
    'x-api-key',
    'accessToken',
    'client_secret',
    'Authorization',
    'DB_PASSWORD',
    'credentials',
  );
  fc.assert(
    fc.property(spelling, alphanumeric(10), (key, core) => {
      for (const value of [core, { nested: [core] }, [core]]) {
        const { value: shown, masked } = redact({ outer: { [key]: value } });
        expect(JSON.stringify(shown)).not.toContain(core);
        expect(masked).toEqual([`/outer/${key}`]);
      }
    }),
  );
});

test('what is no secret stays as it is', () => {
  const plain: Json = {
    command: 'git log --oneline -n 3 | head; ls -la /tmp/skeleton',
    max_tokens: 100,
    secret: null,
    token: false,
    url: 'https://example.com/path?page=2',
    text: 'The password policy and the token budget are described in risk-assessment.md',
    count: 0,
  };
  expect(redact(plain)).toEqual({ value: plain, masked: [] });
});

test('the words around a masked value stay readable', () => {
  expect(redactText('curl -H "Authorization: Bearer abcdef123456" https://example.com')).toBe(
    `curl -H "Authorization: Bearer ${MASK}" https://example.com`,
  );
  expect(redactText('psql postgres://ann:hunter2@db/app')).toBe(`psql postgres://ann:${MASK}@db/app`);
});

test('pointers are escaped as JSON pointers are', () => {
  expect(redact({ 'a/b': { '~token': 'x' } }).masked).toEqual(['/a~1b/~0token']);
});

test('a value nested as deep as its sender likes is no way to break out', () => {
  let deep: Json = 'ghp_0123456789abcdef0123456789abcdef0123';
  for (let i = 0; i < 50_000; i++) deep = { next: deep };
  const { value } = redact(deep);
  expect(isObject(value)).toBe(true);
  expect(JSON.stringify(value)).not.toContain('ghp_');
});

test('a long text is masked in time that grows with its length only', () => {
  const hostile = [
    `${'a'.repeat(100_000)}@`,
    'password'.repeat(12_000),
    `-----BEGIN ${'A '.repeat(50_000)}`,
    'x://'.repeat(25_000),
    'sk-'.repeat(30_000),
  ];
  const started = performance.now();
  for (const text of hostile) redactText(text);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('with bounds, only the beginning of a long text is kept, and the rest is counted', () => {
  const { value, cut } = redactWithin({ short: 'a', long: 'b'.repeat(5000) }, { text: 100, whole: 1000 });
  expect(value).toEqual({ short: 'a', long: `${'b'.repeat(100)}… [100 of 5000 characters]` });
  expect(cut).toEqual(['/long']);
});

test('with bounds, a value of many parts is bounded as a whole, and its shape is kept', () => {
  const many = { list: Array.from({ length: 10_000 }, (_, i) => ({ i, text: 'x'.repeat(50) })), after: 'y' };
  const { value, cut } = redactWithin(many, { text: 100, whole: 1000 });
  expect(JSON.stringify(value).length).toBeLessThan(3000);
  expect(cut).toContain('/list');
  expect((value as { list: Json[] }).list[0]).toEqual({ i: 0, text: 'x'.repeat(50) });
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, i]));
  expect(JSON.stringify(redactWithin(keys, { text: 100, whole: 1000 }).value).length).toBeLessThan(3000);
  expect(JSON.stringify(redactWithin({ ['k'.repeat(10_000)]: 1 }, { text: 100, whole: 1000 }).value).length).toBeLessThan(300);
});

test('a secret at the place of the cut is not shown by half', () => {
  const secret = 'ghp_0123456789abcdef0123456789abcdef0123';
  for (let before = 50; before <= 110; before++) {
    for (const after of ['', ' and more'.repeat(10), 'z '.repeat(5000)]) {
      const { value } = redactWithin(`${'a '.repeat(before / 2)}${secret}${after}`, { text: 100, whole: 1000 });
      expect(value).not.toMatch(/ghp_0/);
    }
  }
});

test('a text that is masked twice stays the same, and a mask hides no secret behind it', () => {
  for (const text of ['TOKEN=abcdef; ls', 'password: "hunter2!"', 'x --api-key abc123 y', 'token=abcdef', 'a token=[abc] b']) {
    expect(redactText(redactText(text)), text).toBe(redactText(text));
  }
  expect(redactText('TOKEN=[redacted]abcdef')).not.toContain('abcdef');
});

test('a text that was searched before counts and is cut like any other', () => {
  const value = { first: 'a plain text', second: 'another plain text' };
  const cut = (text: number, whole: number) => redactWithin(value, { text, whole }).cut;
  const [byText, byWhole] = [cut(15, 1000), cut(1000, 30)];
  expect([byText, byWhole]).toEqual([['/second'], ['/second']]);
  redact(value);
  expect([cut(15, 1000), cut(1000, 30)]).toEqual([byText, byWhole]);
});
