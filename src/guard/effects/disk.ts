/** Tools that are given a raw device. Which of them harm it, and with which words, is for the rules to say. */
import { type Effect, type EffectReader, effect } from './effect.ts';
import { pathOf } from './path.ts';
import { words } from './words.ts';

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
