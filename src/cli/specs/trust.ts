/** `hookline trust` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, PLACE_OPTIONS } from './options.ts';

export const trustSpec: CommandSpec = {
  name: 'trust',
  summary: 'See, give and take back trust in the hooks of a project.',
  takes: '[list|add|remove] [path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    { name: 'yes', help: 'With `add`: trust all of them without asking. Look at them first.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Hooks found below a project run only once they are trusted. Trust is bound to what a hook is defined as and to the bytes of the scripts it runs: any change asks for it anew.',
    'Paths narrow it down to the hooks in these files or folders. Default: the whole project.',
  ],
  examples: [
    { does: 'What is trusted here, and what is not', line: 'hookline trust list' },
    { does: 'Look at each hook and decide', line: 'hookline trust add' },
    { does: 'Trust one hook without being asked', line: 'hookline trust add .agents/hooks/gate --yes' },
  ],
};
