/** Effects on the machine and its processes: killing processes, switching the machine off, and starting processes without end. */
import { type EffectiveCommand, isForeign } from '../shell/machine.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';

/** Endless forks in other languages. */
const FORKS = [
  /\bfork\b\s{0,8}(\(\s{0,8}\))?\s{0,8}while\b/,
  /\b(while|until|loop|for\s{0,8}\(\s{0,8};\s{0,8};\s{0,8}\))[^\n;]{0,40}[:{(\s]\s{0,8}(os\.|Process\.)?fork\b/,
  /\bfork\b\s{0,8}(\(\s{0,8}\))?\s{0,8}(&&|;|\|\|)\s{0,8}(os\.)?fork\b/,
  /\bwhile\s{0,8}\(?\s{0,8}(1|[Tt]rue)\b[\s\S]{0,60}\b(os\.|child_process\.)?(fork|Process|spawn)\s{0,8}\(/,
  /\bfork\s{0,8}\(\s{0,8}\)\s{0,8}for\b/,
];
const IDLE = /^(?:--help|--version|--no-wall-only|--dry-run|--when)$/;
const SYSTEMCTL_OFF =
  /^(?:poweroff|reboot|halt|kexec|emergency|rescue|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|exit)$/;

export const process: EffectReader = (command) => {
  const { name, argv, program, spawned, self } = command;
  if (isForeign(program) && FORKS.some((forks) => forks.test(program.text))) return [effect('shape.fork-bomb')];
  if (self && spawned) return [effect(argv.length <= (program ? 2 : 1) ? 'shape.fork-bomb' : 'shape.self-start')];
  if (FILLS.has(name) && fillsDisk(command)) return [effect('disk.fill', { by: name })];
  if (switchesOff(name, argv)) return [effect('proc.power', { by: name })];
  if (name === 'killall5' || (MATCHES.test(name) && argv.some((word) => EVERY_NAME.test(word))))
    return [effect('proc.kill', { all: true, target: 'all' })];
  return name === 'kill' ? killEffects(argv) : [];
};

const MATCHES = /^(?:pkill|killall|skill)$/;
/** Patterns that match every name. */
const EVERY_NAME = /^\^?\.[*+]?\$?$/;

const FILLS: ReadonlySet<string> = new Set('yes cat fallocate'.split(' '));
/** Files without an end. */
const ENDLESS = /^\/dev\/(?:zero|u?random|full)$/;

/** Returns whether a command writes a file that grows until the disk is full, or one of hundreds of gigabytes. */
function fillsDisk({ name, argv, writes }: EffectiveCommand): boolean {
  if (name === 'fallocate') return argv.some((word) => /^(?:-l|--length=?)?(?:\d{3,}\s*Gi?B?|\d+\s*[TPE]i?B?)$/i.test(word));
  if (!writes.some((path) => !path.startsWith('/dev/'))) return false;
  return name === 'yes' || argv.slice(1).some((word) => ENDLESS.test(word));
}

const POWER: ReadonlySet<string> = new Set('reboot halt poweroff shutdown init telinit pmset systemctl'.split(' '));

function switchesOff(name: string, argv: readonly string[]): boolean {
  if (!POWER.has(name)) return false;
  const words = argv.slice(1);
  const first = words.find((word) => !word.startsWith('-'));
  if (words.some((word) => IDLE.test(word))) return false;
  if (/^(?:reboot|halt|poweroff)$/.test(name)) return !words.some((word) => /^(?:-w|--wtmp-only)$/.test(word));
  // `-c` cancels a planned shutdown and `-k` only sends a warning.
  if (name === 'shutdown') return words.length > 0 && !words.some((word) => /^-[a-zA-Z]*[ck]$/.test(word));
  if (name === 'init' || name === 'telinit') return /^[016sS]$/.test(first ?? '');
  if (name === 'pmset') return /^(?:sleepnow|shutdown|restart)$/.test(first ?? '');
  return name === 'systemctl' && SYSTEMCTL_OFF.test(first ?? '');
}

/** Returns the processes that are killed. In `kill -1 123`, `-1` is the signal and `123` is the process. */
function killEffects(argv: readonly string[]): readonly Effect[] {
  const words = argv.slice(1);
  if (words.some((word) => /^-(?:l|L|-list|-table|-help|-version)/.test(word))) return [];
  let at = 0;
  if (/^-(?:s|n|-signal)$/.test(words[0] ?? '')) at = 2;
  else if (words.length > 1 && /^-/.test(words[0] ?? '') && words[0] !== '--') at = 1;
  const targets = words.slice(at).filter((word) => word !== '--' && !/^-(?:q|-queue|-timeout)$/.test(word));
  return targets.map((target) =>
    effect('proc.kill', {
      // The names of the folders of all processes, too.
      all: /^(?:-0*1$|\[[01]-9\])/.test(target),
      init: /^0*1$/.test(target),
      target,
    }),
  );
}
