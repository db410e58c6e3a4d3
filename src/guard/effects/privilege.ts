/** Commands that run as another user: the commands that `sudo` and similar tools run, and the shells that they open. */
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';
import { type EffectReader, effect } from './effect.ts';

const TOOLS: Readonly<Record<string, string>> = {
  sudo: 'ugpCcDhRTtrU',
  doas: 'uC',
  pkexec: '',
  su: 'gGsTwc',
  runuser: 'ugGsTwc',
  run0: 'ugD',
  gosu: '',
  'su-exec': '',
};

/** Returns the first tool that runs this command as another user. */
export function privilegeOf({ via }: EffectiveCommand): string | undefined {
  return via.length === 0 ? undefined : via.map((by) => by.replace(/ -c$/, '')).find((by) => Object.hasOwn(TOOLS, by));
}

export const privilege: EffectReader = (command) => {
  const { name, argv, program } = command;
  const by = privilegeOf(command);
  if (by !== undefined && program?.language === 'shell' && program.from === 'stdin' && isDynamic(program.text ?? '')) {
    return [effect('priv.shell', { by, command: name })];
  }
  if (!Object.hasOwn(TOOLS, name)) return [];
  const { options, rest, code } = ownOptions(argv, TOOLS[name] ?? '');
  if (options.some((option) => /^--(?:help|version)$|^-[hVlkKv]$/.test(option)) && rest.length === 0) return [];
  const becomes = /^(?:su|runuser)$/.test(name) && !code && !(name === 'runuser' && options.includes('-u'));
  const shell = options.some((option) => /^(?:-[is]|--login|--shell)$/.test(option)) && rest.length === 0 && /^(?:sudo|doas)$/.test(name);
  return becomes || shell ? [effect('priv.shell', { by: name, command: name })] : [];
};

/** Returns the options of the tool, letter by letter, and the words after them. */
function ownOptions(
  argv: readonly string[],
  valued: string,
): { readonly options: readonly string[]; readonly rest: readonly string[]; readonly code: boolean } {
  const options: string[] = [];
  let at = 1;
  for (; at < argv.length && /^-./.test(argv[at] ?? ''); at++) {
    const word = argv[at] ?? '';
    if (word === '--') break;
    if (word.startsWith('--')) {
      options.push(word.replace(/=.*$/s, ''));
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      options.push(`-${word[i]}`);
      if (!valued.includes(word[i] ?? '')) continue;
      if (i === word.length - 1) at++;
      break;
    }
  }
  const code = options.includes('-c') || argv.some((word) => /^(?:-[a-z]*c|--command(?:=.*)?|--session-command(?:=.*)?)$/s.test(word));
  return { options, rest: argv.slice(at), code };
}
