/** The simplest effects: the command runs with these words, or on a raw device. Most pack rules match only these. */
import { commandSyntax } from '../rules/compiled.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { type Effect, type EffectReader, effect, type Facts, type KnownFolders } from './effect.ts';
import { classifyPath } from './files/path.ts';

const MOST_VERBS = 4;

/** Variables with which frameworks choose the settings, and so the database, that they work with. */
const STAGES = ['RAILS_ENV', 'NODE_ENV', 'MIX_ENV', 'APP_ENV', 'RACK_ENV', 'HANAMI_ENV'];

/**
 * Facts: `command` (name), `verb` (the first word, the first two words and so on), `option` (short options letter by letter, long options
 * without value), `operand`, and `stage` (`test`, `production`) if a variable chooses one.
 */
export const commandRun: EffectReader = ({ name, argv, env }) => {
  const variable = STAGES.find((one) => env[one] !== undefined);
  const facts = factsOf(name, argv);
  return [effect('command', variable === undefined ? facts : { ...facts, stage: env[variable] ?? '' })];
};

/** Returns these facts for a command with the given name. */
export function factsOf(name: string, argv: readonly string[]): CommandFacts {
  const syntax = commandSyntax();
  const valued = Object.hasOwn(syntax, name) ? (syntax[name]?.valued ?? []) : [];
  const options: string[] = [];
  const operands: string[] = [];
  let reading = true;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (!reading || !/^-./.test(word)) operands.push(word);
    else if (word === '--') reading = false;
    else {
      const option = word.startsWith('--') ? word.replace(/=.*$/s, '') : word;
      options.push(option);
      if (/^-[a-zA-Z]{2,}$/.test(word)) for (const letter of word.slice(1)) options.push(`-${letter}`);
      if (valued.includes(word)) at++;
    }
  }
  const verb = operands.slice(0, MOST_VERBS).map((_, i) => operands.slice(0, i + 1).join(' '));
  return { command: name, verb, option: options, operand: operands, words: argv.slice(1).join(' ') };
}

type CommandFacts = Facts & Readonly<Record<'verb' | 'option' | 'operand', readonly string[]>>;

const IMAGE_TOOLS = /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?|mkdosfs|mkntfs|mkexfatfs)$/;

/** Reports tools that receive a raw device. The rules decide which tools and words are harmful. */
export const disk: EffectReader = (command, knownFolders) => {
  const { name, argv, cwd } = command;
  const isDevice = (word: string): boolean => classifyPath(word, cwd, knownFolders).classes.includes('device');
  // Almost no command names a device, so this cheap check runs first.
  const device = argv.find((word, i) => i > 0 && word.includes('dev') && isDevice(word.replace(/^[\w-]+=/, '')));
  if (device !== undefined && name !== 'mount')
    return commandRun(command, knownFolders).map(({ facts }) => effect('disk.use', { ...facts, device }));
  if (name === 'mount') return mountEffect(command, knownFolders);
  return (name.startsWith('mk') || name.startsWith('newfs')) && IMAGE_TOOLS.test(name) ? imageEffect(argv) : [];
};

/** Returns the folder over which a file system is mounted, with its classes. */
function mountEffect({ argv, cwd }: EffectiveCommand, knownFolders: KnownFolders): readonly Effect[] {
  const operands = argv.slice(1).filter((word, i) => !/^-/.test(word) && !/^-[toLUO]$/.test(argv[i] ?? ''));
  const path = operands.length > 1 ? operands.at(-1) : undefined;
  return path === undefined ? [] : [effect('disk.mount', { path, class: classifyPath(path, cwd, knownFolders).classes })];
}

/** Returns the effect of making a file system in a file. A name below `/dev` that is not a device is only a mistake. */
function imageEffect(argv: readonly string[]): readonly Effect[] {
  const last = argv.length > 1 ? (argv.at(-1) ?? '') : '';
  if (last === '' || /^-|^\/dev\//.test(last) || argv.some((word) => /^(?:--help|--version|-V)$/.test(word))) return [];
  return [effect('disk.image', { path: last })];
}
