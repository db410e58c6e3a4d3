/** The plainest effect of a command: that it is run, with these words. Rules of packs ask for little else. */
import { COMMANDS } from '../rules/compiled.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';
import { pathOf } from './files/path.ts';

const MOST_VERBS = 4;

/** `command` by name; `verb`: its first words, one, two…; `option`: `-x` letter by letter and `--long` without value; `operand`. */
export const words: EffectReader = ({ name, argv }) => {
  const valued = Object.hasOwn(COMMANDS, name) ? (COMMANDS[name]?.valued ?? []) : [];
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
  return [effect('command', { command: name, verb, option: options, operand: operands, words: argv.slice(1).join(' ') })];
};

/** Tools that are given a raw device. Which of them harm it, and with which words, is for the rules to say. */

const IMAGE_TOOLS = /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?|mkdosfs|mkntfs|mkexfatfs)$/;

export const disk: EffectReader = (command, sight) => {
  const { name, argv, cwd } = command;
  const isDevice = (word: string): boolean => pathOf(word, cwd, sight).classes.includes('device');
  // A cheap look first: nearly no command names a device.
  const device = argv.find((word, i) => i > 0 && word.includes('dev') && isDevice(word.replace(/^[\w-]+=/, '')));
  if (device !== undefined) return words(command, sight).map(({ facts }) => effect('disk.use', { ...facts, device }));
  return IMAGE_TOOLS.test(name) ? image(argv) : [];
};

/** A file system made in a file; a name below `/dev` that no device has is only a mistake. */
function image(argv: readonly string[]): readonly Effect[] {
  const last = argv.length > 1 ? (argv.at(-1) ?? '') : '';
  if (last === '' || /^-|^\/dev\//.test(last) || argv.some((word) => /^(?:--help|--version|-V)$/.test(word))) return [];
  return [effect('disk.image', { path: last })];
}
