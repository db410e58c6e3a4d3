/** `hookline list` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from './options.ts';

export const listSpec: CommandSpec = {
  name: 'list',
  summary: 'List every hook that is found, with its source, scope, trust and state.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [...LOAD_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'Found in a project: .claude/settings.json and .claude/settings.local.json, .claude/skills/*/SKILL.md, .claude/agents/*.md, skills/**/SKILL.md, .agents/hooks/*/HOOK.md, hooks/*/HOOK.toml, plugins/*, and a project that is itself a plugin.',
    "Found in the user's home: .claude/settings.json, .claude/plugins/*, .config/agents/hooks/*/HOOK.md, .config/arawn/plugins/*.",
  ],
  examples: [
    { does: 'Everything that is found from here', line: 'hookline list' },
    { does: 'One dialect of another project', line: 'hookline list --root ../app --only agenthooks' },
  ],
};
