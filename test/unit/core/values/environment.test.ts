/** The laws of what a hook may see of the environment. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENVIRONMENT, type EnvironmentPolicy, SECRET_NAMES, visibleEnvironment } from '../../../../src/core/values/environment.ts';

const ALL = {
  PATH: '/bin',
  HOME: '/home/ann',
  LC_ALL: 'C',
  XDG_RUNTIME_DIR: '/run',
  EDITOR: 'vi',
  GITHUB_TOKEN: 'g',
  AWS_PROFILE: 'a',
  REDIS_URL: 'redis://u:p@host/0',
  HTTPS_PROXY: 'http://proxy:3128',
};

function seen(policy: Partial<EnvironmentPolicy>, promise: 'inherits' | readonly string[] = []): string[] {
  return Object.keys(visibleEnvironment(ALL, { ...DEFAULT_ENVIRONMENT, ...policy }, promise)).sort();
}

const BASE = ['HOME', 'LC_ALL', 'PATH', 'XDG_RUNTIME_DIR'];

describe('promised', () => {
  test('a format that promises nothing gets what every program needs', () => {
    expect(seen({})).toEqual(BASE);
  });

  test('a format that promises names gets those too', () => {
    expect(seen({}, ['ED*'])).toEqual(['EDITOR', ...BASE].sort());
  });

  test('a format whose hooks inherit gets everything but secrets', () => {
    expect(seen({}, 'inherits')).toEqual(['EDITOR', 'HTTPS_PROXY', ...BASE].sort());
  });

  test('what the user names is seen, a secret too', () => {
    expect(seen({ names: ['GITHUB_TOKEN'] })).toEqual(['GITHUB_TOKEN', ...BASE].sort());
    expect(seen({ names: ['aws_*'] })).toEqual(['AWS_PROFILE', ...BASE].sort());
  });
});

test('`pass` keeps everything', () => {
  expect(seen({ policy: 'pass', names: ['PATH'] })).toEqual(Object.keys(ALL).sort());
});

test('`allow` keeps what every program needs and what is named, whatever the format promises', () => {
  expect(seen({ policy: 'allow', names: ['EDITOR'] }, 'inherits')).toEqual(['EDITOR', ...BASE].sort());
});

test('`deny` keeps everything but secrets and what is named', () => {
  expect(seen({ policy: 'deny', names: ['EDITOR', 'XDG_*'] })).toEqual(['HOME', 'HTTPS_PROXY', 'LC_ALL', 'PATH']);
});

test.each([
  ...['TOKEN', 'NPM_TOKEN', 'GITHUB_TOKEN', 'CI_TOKEN_2', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'STRIPE_KEY', 'AWS_SECRET_ACCESS_KEY'],
  ...['CLIENT_SECRET', 'PGPASSWORD', 'MYSQL_PASSWD', 'SMTP_PASS', 'GOOGLE_APPLICATION_CREDENTIALS', 'DATABASE_URL', 'APP_DATABASE_URL'],
  ...['SSH_AUTH_SOCK', 'SENTRY_DSN', 'github_token', 'SESSION_COOKIE', 'AZURE_STORAGE_CONNECTION_STRING', 'NPM_CONFIG__AUTH', 'GITLAB_PAT'],
  ...['STORAGE_KEY_ID', 'MYAPIKEY2', 'GPG_PASSPHRASE', 'SESSION_JWT', 'GPG_AGENT_INFO', 'AWS_PROFILE'],
])('%s is a secret', (name) => {
  expect(visibleEnvironment({ [name]: 'x' }, DEFAULT_ENVIRONMENT, 'inherits')).toEqual({});
});

test.each(['KEYBOARD', 'TOKENIZERS_PARALLELISM', 'MONKEY', 'COMPASS', 'PATHS', 'NODE_ENV', 'AUTHOR'])('%s is none', (name) => {
  expect(visibleEnvironment({ [name]: 'x' }, DEFAULT_ENVIRONMENT, 'inherits')).toEqual({ [name]: 'x' });
});

test('an address with a password in it is a secret, one without is none', () => {
  const all = { A: 'postgres://u:p@h/db', B: 'https://h/p@q', C: 'http://u@h', D: 'a:b@c', E: 'https://h:80/x@y' };
  expect(Object.keys(visibleEnvironment(all, DEFAULT_ENVIRONMENT, 'inherits'))).toEqual(['B', 'C', 'D', 'E']);
});

test('signs in a name mean themselves, but for the star', () => {
  const all = { 'A.B': '1', AXB: '2', 'ProgramFiles(x86)': '3' };
  expect(Object.keys(visibleEnvironment(all, { policy: 'allow', names: ['A.B'] }, []))).toEqual(['A.B', 'ProgramFiles(x86)']);
});

test('no policy but `pass` shows a secret that nobody named', () => {
  const name = fc.constantFrom(...SECRET_NAMES).map((glob) => glob.replaceAll('*', 'X'));
  const promise = fc.oneof(fc.constant('inherits' as const), fc.constant(['*']));
  fc.assert(
    fc.property(name, fc.constantFrom('promised' as const, 'allow' as const, 'deny' as const), promise, (secret, policy, promised) => {
      expect(visibleEnvironment({ [secret]: 'x' }, { policy, names: [] }, promised)).toEqual({});
    }),
  );
});

test.each([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'XDG_CONFIG_HOME', 'HOOKLINE_HOME'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LANGUAGE', 'LC_CTYPE'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'USERNAME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA'],
  ...['LOCALAPPDATA', 'ProgramData', 'ProgramFiles', 'ProgramFiles(x86)', 'CommonProgramFiles', 'CommonProgramFiles(x86)'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
])('%s is seen by every hook', (name) => {
  for (const policy of ['promised', 'allow'] as const)
    expect(visibleEnvironment({ [name]: 'x' }, { policy, names: [] }, [])).toEqual({ [name]: 'x' });
});

test.each(['', 'MY_PATH', 'PATHS', 'XDG', 'X', 'TERMINAL'])('%j is not seen by a hook that is promised nothing', (name) => {
  for (const policy of ['promised', 'allow'] as const) expect(visibleEnvironment({ [name]: 'x' }, { policy, names: [] }, [])).toEqual({});
});

test('a basic variable that holds an address with a password is not seen', () => {
  for (const policy of ['promised', 'allow'] as const)
    expect(visibleEnvironment({ HOME: 'ftp://u:p@h' }, { policy, names: [] }, [])).toEqual({});
});

test('the default promises what the format promises, and names nothing', () => {
  expect(DEFAULT_ENVIRONMENT).toEqual({ policy: 'promised', names: [] });
});

test('a variable without a value is left out, even if everything passes', () => {
  const all = { A: undefined, B: '' };
  for (const policy of ['pass', 'deny'] as const) expect(Object.keys(visibleEnvironment(all, { policy, names: [] }, []))).toEqual(['B']);
});

test.each(['http://user:long-word@host/path', 'x://:p@h', 'git+ssh.v-2://ann:p@h', 'HTTP://U:P@H', 'https://a:b@'])(
  '%s has a password',
  (value) => {
    expect(visibleEnvironment({ A: value }, DEFAULT_ENVIRONMENT, 'inherits')).toEqual({});
  },
);

test.each(['see http://u:p@h', '2x://u:p@h', 'http://u:@h', 'http://u/x:p@h', 'http://u x:p@h', 'http://u:p x@h', 'http://u:p/@h'])(
  '%s has none',
  (value) => {
    expect(visibleEnvironment({ A: value }, DEFAULT_ENVIRONMENT, 'inherits')).toEqual({ A: value });
  },
);

test('a star stands for any part of a name, line breaks included, and names are compared whole', () => {
  const shown = (names: string[], ...all: string[]) =>
    Object.keys(visibleEnvironment(Object.fromEntries(all.map((name) => [name, '1'])), { policy: 'allow', names }, []));
  expect(shown(['A*C'], 'AC', 'ABBC', 'A\nC', 'xAC', 'ACx')).toEqual(['AC', 'ABBC', 'A\nC']);
  expect(shown(['A**C'], 'AC', 'ABC')).toEqual(['AC', 'ABC']);
  expect(shown(['A', 'B'], 'A', 'B', 'AB', 'xB', 'Ax')).toEqual(['A', 'B']);
  for (const sign of ['\\', '^', '$', '.', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/', '-'])
    expect(shown([`A${sign}B`], `A${sign}B`, 'AB', 'AAB', 'A', 'B')).toEqual([`A${sign}B`]);
});
