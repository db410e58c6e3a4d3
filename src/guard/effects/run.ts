/** The plainest effect of a command: that it is run, with these words. Rules of packs ask for little else. */
import { COMMANDS } from '../rules/compiled.ts';
import { type EffectReader, effect } from './effect.ts';

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
