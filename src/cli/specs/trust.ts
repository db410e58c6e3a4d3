/** `hookline trust` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, PLACE_OPTIONS } from './options.ts';

export const trustSpec: CommandSpec = {
  name: 'trust',
  summary: 'See, compare, give and take back trust in the hooks of a project.',
  takes: '[list|add|remove|diff|lock] [path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    { name: 'yes', help: 'With `add`: trust all of them without asking. Look at them first. With `lock`: the untrusted ones too.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Hooks found below a project run only once they are trusted. Trust is bound to what a hook is defined as and to the bytes of the scripts it runs: any change asks for it anew.',
    '`diff` shows what has changed in a hook since it was trusted, and ends with 1 if anything has. `lock` writes the trusted ones with their digests, for `--trust-lock` where nobody can be asked; keep it outside of the project.',
    'A no is remembered; naming the path asks again. An agent, or a hook, can not change trust.',
    'Paths narrow it down to the hooks in these files or folders. Default: the whole project.',
  ],
  examples: [
    { does: 'What is trusted here, and what is not', line: 'hookline trust list' },
    { does: 'Look at each hook and decide', line: 'hookline trust add' },
    { does: 'What has changed since it was trusted', line: 'hookline trust diff' },
    { does: 'For CI', line: 'hookline trust lock > ../trusted-hooks.json' },
    { does: 'Trust one hook without being asked', line: 'hookline trust add .agents/hooks/gate --yes' },
  ],
};
