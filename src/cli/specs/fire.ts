/** `hookline fire` as data. */
import type { CommandSpec } from '../command.ts';
import { EVENT_OPTIONS, HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from './options.ts';

export const fireSpec: CommandSpec = {
  name: 'fire',
  summary: 'Fire one event at the hooks that are found and print what came of it.',
  takes: '<event>',
  words: { min: 1, max: 1, missing: 'Which event should be fired? For instance `hookline fire tool.before --tool Bash`.' },
  options: [
    ...EVENT_OPTIONS,
    ...LOAD_OPTIONS,
    { name: 'wait', value: 'SECONDS', help: 'If the action is held, wait so long for somebody to settle it.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without --as, <event> is a canonical kind such as `tool.before`, `prompt.submit` or `session.start`.',
    'Exit codes: 0 may proceed, 2 denied (the reason is on stderr), 3 held. 64 wrong usage, 70 a bug of ours, 78 unusable configuration. On an event that can be denied, a failure of ours denies.',
  ],
  examples: [
    { does: 'May this command run?', line: `hookline fire tool.before --tool Bash --input '{"command":"ls"}'` },
    {
      does: "The same in a dialect's own words, the payload on stdin",
      line: 'hookline fire PreToolUse --as claude-agent --payload - --json',
    },
    { does: 'In CI, with the hooks of the checkout', line: 'hookline fire session.start --trust-all --strict' },
  ],
};
