/** The machine and its processes: fork bombs in one command, switching off, killing everything; and covering tracks. */
import type { Accusation } from '../findings.ts';
import { type Effective, isForeign } from '../shell/machine.ts';

export const FORK_BOMB: Accusation = {
  rule: 'fork-bomb',
  severity: 'catastrophic',
  message: 'Starts processes without end until the machine stops.',
  hint: 'Remove it, or make the loop wait for what it starts.',
};
const FORKS = [
  /\bfork\b\s{0,8}(\(\s{0,8}\))?\s{0,8}while\b/,
  /\b(while|until|loop|for\s{0,8}\(\s{0,8};\s{0,8};\s{0,8}\))[^\n;]{0,40}[:{(\s]\s{0,8}(os\.|Process\.)?fork\b/,
  /\bfork\b\s{0,8}(\(\s{0,8}\))?\s{0,8}(&&|;|\|\|)\s{0,8}(os\.)?fork\b/,
  /\bwhile\s{0,8}\(?\s{0,8}(1|[Tt]rue)\b[\s\S]{0,60}\b(os\.|child_process\.)?(fork|Process)\s{0,8}\(/,
];

export function process(command: Effective): readonly Accusation[] {
  const { name, argv, program, spawned } = command;
  const text = argv.join(' ');
  if (isForeign(program) && FORKS.some((forks) => forks.test(program.text))) return [FORK_BOMB];
  if (command.self && spawned)
    return [
      argv.length <= (program ? 2 : 1) ? FORK_BOMB : { ...FORK_BOMB, severity: 'medium', message: 'Starts itself again beside itself.' },
    ];
  if (switchesOff(name, argv))
    return [{ rule: 'power', severity: 'high', message: 'Switches the machine off or restarts it.', hint: 'Remove it from the hook.' }];
  if (killsAll(name, argv))
    return [{ rule: 'kill-all', severity: 'high', message: 'Kills every process it may.', hint: 'Kill one process by its id.' }];
  if (covers(name, text))
    return [
      {
        rule: 'tamper',
        severity: 'medium',
        message: 'Switches off protection, or covers tracks.',
        hint: 'Say why a hook needs this, or remove it.',
      },
    ];
  return [];
}

function switchesOff(name: string, argv: readonly string[]): boolean {
  const first = argv.find((word, i) => i > 0 && !word.startsWith('-'));
  if (argv.some((word) => word === '--help' || word === '-c' || word === '--version')) return false;
  if (/^(reboot|halt|poweroff)$/.test(name)) return true;
  if (name === 'shutdown') return argv.length > 1;
  if (name === 'init' || name === 'telinit') return first === '0' || first === '6';
  return name === 'systemctl' && /^(poweroff|reboot|halt|kexec|emergency|rescue)$/.test(first ?? '');
}

function killsAll(name: string, argv: readonly string[]): boolean {
  if (name === 'killall5') return true;
  // `kill -1 123` sends a signal; the process is what stands last, after the signal.
  return name === 'kill' && argv.length > 2 && argv.at(-1) === '-1' && !/^-[ln]$/.test(argv.at(-2) ?? '');
}

function covers(name: string, text: string): boolean {
  if (name === 'history') return /^history\s+-\w*c/.test(text);
  if (name === 'unset' || name === 'export') return /\bHIST(FILE|SIZE)\b/.test(text);
  if (name === 'setenforce') return / (0|permissive)/i.test(text);
  if (name === 'ufw') return / disable/.test(text);
  if (name === 'iptables') return / (-F|--flush)/.test(text);
  if (name === 'auditctl') return / -e\s*0| -D/.test(text);
  if (name === 'git') return / core\.hooksPath/i.test(text);
  return name === 'crontab' && !/^crontab\s+(-l|-u \S+ -l)$/.test(text);
}
