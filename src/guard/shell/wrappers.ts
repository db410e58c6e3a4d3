/** Commands that run the command they are given, as data: which of their own words come before it. */
export interface Wrapper {
  /** Short options that take a value. */
  readonly valued?: string;
  /** Long options whose value is the next word. */
  readonly long?: readonly string[];
  /** Operands of its own before the command. */
  readonly operands?: number;
  /** `NAME=value` words may come before the command. */
  readonly assigns?: boolean;
  /** A short or long option whose value is shell code. */
  readonly code?: readonly string[];
  /** What follows is joined and given to a shell. */
  readonly joined?: boolean;
}

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'ugpCcDhRTtr',
    long: ['user', 'group', 'prompt', 'chdir', 'host', 'chroot', 'close-from', 'role', 'type'],
    assigns: true,
  },
  doas: { valued: 'uC' },
  pkexec: { long: ['user'] },
  env: { valued: 'uC', long: ['unset', 'chdir'], assigns: true, code: ['S', 'split-string'] },
  command: {},
  builtin: {},
  exec: { valued: 'a' },
  nohup: {},
  setsid: {},
  nice: { valued: 'n', long: ['adjustment'] },
  ionice: { valued: 'cn', long: ['class', 'classdata'] },
  chrt: { valued: 'TPD', operands: 1 },
  taskset: { operands: 1 },
  stdbuf: { valued: 'ioe', long: ['input', 'output', 'error'] },
  unbuffer: {},
  timeout: { valued: 'sk', long: ['signal', 'kill-after'], operands: 1 },
  time: { valued: 'of', long: ['output', 'format'] },
  watch: { valued: 'ns', long: ['interval'], joined: true },
  flock: { valued: 'wE', long: ['wait', 'timeout', 'conflict-exit-code'], operands: 1, code: ['c', 'command'] },
  chroot: { long: ['userspec', 'groups'], operands: 1 },
  unshare: { valued: 'SGR', long: ['root', 'wd'] },
  nsenter: { valued: 'tSG', long: ['target'] },
  strace: { valued: 'eoOpPsSuXabI', long: ['output', 'trace', 'user'] },
  ltrace: { valued: 'aAeFlnosuxXp' },
  caffeinate: { valued: 'tw' },
  fakeroot: {},
  'systemd-run': { valued: 'pECtHMu', long: ['unit', 'property', 'setenv', 'uid', 'gid', 'slice', 'on-calendar', 'on-active'] },
  setpriv: { long: ['reuid', 'regid', 'groups'] },
  busybox: {},
  toybox: {},
  su: { valued: 'gGsT', operands: Number.POSITIVE_INFINITY, code: ['c', 'command'] },
  runuser: { valued: 'ugGs', long: ['user', 'group'], code: ['c', 'command'] },
  sg: { operands: 1, code: ['c'] },
  script: { valued: 'IOBTtmE', operands: Number.POSITIVE_INFINITY, code: ['c', 'command'] },
};

export interface Unwrapped {
  /** The command inside; empty if there is none. */
  readonly argv: readonly string[];
  /** Shell code inside. */
  readonly code: readonly string[];
  readonly assigned: readonly (readonly [name: string, value: string])[];
}

/** Takes one wrapper off. */
export function unwrap(wrapper: Wrapper, argv: readonly string[]): Unwrapped {
  const code: string[] = [];
  const assigned: (readonly [string, string])[] = [];
  let operands = wrapper.operands ?? 0;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const assignment = wrapper.assigns ? /^([A-Za-z_]\w*)=(.*)$/s.exec(word) : null;
    if (word === '--') {
      if (operands > 0) continue;
      at++;
      break;
    }
    if (word.startsWith('-') && word.length > 1) at += takeOption(wrapper, word, argv[at + 1], code);
    else if (assignment) assigned.push([assignment[1] ?? '', assignment[2] ?? '']);
    else if (operands > 0 && word !== '') operands--;
    else if (word !== '-') break;
  }
  const rest = argv.slice(at);
  return wrapper.joined ? { argv: [], code: [rest.join(' ')], assigned } : { argv: rest, code, assigned };
}

/** How many further words an option takes; its value goes to `code` if it is code. */
function takeOption({ valued = '', long = [], code: codes = [] }: Wrapper, word: string, next: string | undefined, code: string[]): 0 | 1 {
  if (word.startsWith('--')) {
    const [name = '', value] = split(word.slice(2));
    if (codes.includes(name)) code.push(value ?? next ?? '');
    return value === undefined && (codes.includes(name) || long.includes(name)) ? 1 : 0;
  }
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? '';
    const isCode = codes.includes(letter);
    if (!isCode && !valued.includes(letter)) continue;
    const attached = word.slice(i + 1);
    if (isCode) code.push(attached === '' ? (next ?? '') : attached);
    return attached === '' ? 1 : 0;
  }
  return 0;
}

function split(option: string): readonly [string, string | undefined] {
  const at = option.indexOf('=');
  return at === -1 ? [option, undefined] : [option.slice(0, at), option.slice(at + 1)];
}
