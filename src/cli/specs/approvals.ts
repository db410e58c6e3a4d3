/** `hookline approvals` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from './options.ts';

export const approvalsSpec: CommandSpec = {
  name: 'approvals',
  summary: 'List the actions that wait for a person; show, approve, deny or withdraw one of them.',
  takes: '[action] [id]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    { name: 'by', value: 'NAME', help: 'Who settles it. Default: your user name.' },
    { name: 'note', value: 'TEXT', help: 'A word on why; it is kept with the ticket.' },
    {
      name: 'input',
      value: 'JSON',
      help: 'With `approve`: what should run instead. All hooks judge it again. Text where the event carries text.',
    },
    { name: 'all', help: 'List settled tickets too.' },
    { name: 'state', value: 'STATE', help: 'List tickets of this state: open, approved, denied, expired or withdrawn.' },
    { name: 'root', value: 'DIR', help: 'List tickets of this project alone. Default: of all.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Actions: list (the default), show, approve, deny, withdraw.',
    'An approval releases exactly the action that was held, once, within the life of its ticket. A changed input needs a ticket of its own. What nobody settles expires, which is not a denial.',
    'An id may be shortened as long as it fits one ticket. Exit code 1: there is no such ticket, somebody else was first, or it has expired.',
  ],
  examples: [
    { does: 'What waits for me?', line: 'hookline approvals' },
    { does: 'Everything about one of them', line: 'hookline approvals show mi3k9x2a' },
    { does: 'Let it pass, once', line: 'hookline approvals approve mi3k9x2a --note "checked with ops"' },
  ],
};
