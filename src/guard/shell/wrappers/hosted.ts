/** Wrappers of clouds and fleets, which run a command on machines of others, and programs that run a line with an escape. */
import { ALL, type Wrapper } from './wrapper.ts';

const FLY: Wrapper = {
  verbs: {
    ssh: { verbs: { console: { operands: ALL, valued: 'ar', long: 'app region', code: 'C command' } } },
    machine: { verbs: { exec: { operands: 1, rest: 'code', valued: 'a', long: 'app timeout' } } },
  },
};
const HEROKU_RUN: Wrapper = { valued: 'ar', long: 'app remote size type', rest: 'code' };
/** A line that starts with `!`. */
const ESCAPED = /^[ \t]*!(.+)$/gm;

export const HOSTED_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  gcloud: {
    long: 'project account configuration',
    verbs: { compute: { verbs: { ssh: { operands: 1, rest: 'code', long: 'zone project ssh-key-file', code: 'command' } } } },
  },
  az: {
    verbs: {
      vm: {
        verbs: {
          'run-command': { verbs: { invoke: { operands: ALL, valued: 'gn', long: 'resource-group name command-id', code: 'scripts' } } },
        },
      },
    },
  },
  aws: {
    long: 'profile region output endpoint-url',
    verbs: {
      ssm: {
        verbs: {
          'send-command': {
            operands: ALL,
            keyed: { options: 'parameters', pattern: /\bcommands"?\s*[=:]\s*\[?\s*["']?(.+?)["']?\s*\]?\}?$/s },
          },
        },
      },
      ecs: { verbs: { 'execute-command': { operands: ALL, code: 'command' } } },
    },
  },
  doctl: { verbs: { compute: { verbs: { ssh: { operands: ALL, code: 'ssh-command' } } } } },
  fly: FLY,
  flyctl: FLY,
  heroku: { verbs: { run: HEROKU_RUN, 'run:detached': HEROKU_RUN } },
  'docker-machine': { verbs: { ssh: { operands: 1, rest: 'code' } } },
  minikube: { valued: 'p', long: 'profile node', verbs: { ssh: { rest: 'code', valued: 'n', long: 'node' } } },
  colima: { verbs: { ssh: { rest: 'code', valued: 'p', long: 'profile' } } },
  eb: { verbs: { ssh: { operands: ALL, code: 'c command' } } },
  juju: {
    verbs: {
      ssh: { operands: 1, rest: 'code', valued: 'm' },
      run: { rest: 'code', long: 'application unit machine timeout' },
      exec: { rest: 'code', long: 'application unit machine timeout' },
    },
  },
  bolt: { verbs: { command: { verbs: { run: { rest: 'codes', valued: 'tu', long: 'targets user' } } } } },
  ftp: { operands: ALL, stdin: ESCAPED },
  lftp: { operands: ALL, valued: 'psu', keyed: { options: 'e c', pattern: /(?:^|[;\n])\s*!(.+)$/s }, stdin: ESCAPED },
  // `!<`, `!>` and `!=` compare.
  dc: { operands: ALL, keyed: { options: 'e expression', pattern: /!(?![<>=])(.+)$/s }, stdin: /!(?![<>=])(.+)$/gm },
  gnuplot: { operands: ALL, keyed: { options: 'e', pattern: /\bsystem\b\s*\(?\s*["'](.+?)["']|^\s*!(.+)$/s } },
};
