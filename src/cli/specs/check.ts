/** `hookline check` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS } from './options.ts';

export const checkSpec: CommandSpec = {
  name: 'check',
  summary: 'Validate hook files and audit what they would run. Exit 1 if there is an error.',
  takes: '[path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [...PLACE_OPTIONS, ...NAMED_PLACE_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'Without a path: everything that is found in the project, and below --home if it is given. A path may be a file or a folder.',
    'Known files: SKILL.md, HOOK.md, HOOK.toml, .claude/settings.json, .claude/settings.local.json, .claude/agents/*.md, .claude-plugin/plugin.json and the files it names.',
  ],
  examples: [
    { does: 'Everything in this project', line: 'hookline check' },
    { does: 'One file, before it is committed', line: 'hookline check .agents/hooks/gate/HOOK.md' },
    { does: 'For a machine', line: 'hookline check --json' },
  ],
};
