/** The schema of a HOOK.toml. */
import type { JsonObject } from '../../core/values/json.ts';
import { closed, eventName, flag, schemaOf, text, texts, variables, whole, words } from '../kit/schema/parts.ts';
import { FIELDS, METHODS } from './load.ts';
import { profile } from './profile.ts';

const timeout_secs = whole('How long the action may take, in seconds.', 1);
const ACTIONS = {
  shell: closed(
    ['command', 'timeout_secs', 'workdir'],
    {
      ...{ command: words('The command. A shell runs it, with the event on stdin.'), timeout_secs },
      workdir: text('The folder that the command runs in: absolute, or below the folder of the hook.'),
    },
    ['command'],
    { description: 'Runs a command.' },
  ),
  http: closed(
    ['url', 'method', 'headers', 'body', 'timeout_secs'],
    {
      ...{ url: words('The address that receives the event.', { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }), timeout_secs },
      method: {
        enum: [...METHODS, ...METHODS.map((method) => method.toLowerCase())],
        description: 'The method of the request; POST if left out.',
      },
      headers: variables('The headers of the request.'),
      body: text('The text that is sent in place of the event.'),
    },
    ['url'],
    { description: 'Sends the event to an address.' },
  ),
  prompt_inject: closed(
    ['content', 'position'],
    {
      content: words('The text that is added to the prompt.'),
      position: { enum: ['prepend', 'append'], description: 'The place of the text; `prepend` if left out.' },
    },
    ['content'],
    { description: 'Adds a text to the prompt.' },
  ),
};

const MEANINGS = {
  name: text('The name of the hook.', { pattern: '^[A-Za-z0-9-]{1,64}$' }),
  description: text('The purpose of the hook.'),
  event: eventName(profile, 'The event that the hook is for.'),
  priority: { type: 'integer', description: 'Hooks with a higher number run first.' },
  enabled: flag('A hook that is not enabled does not run.'),
  action: {
    ...closed(Object.keys(ACTIONS), ACTIONS),
    minProperties: 1,
    maxProperties: 1,
    description: 'Exactly one action: `shell`, `http` or `prompt_inject`.',
  },
  conditions: {
    ...closed(['channels', 'users', 'pattern'], {
      channels: texts('The hook runs for messages of these channels alone.'),
      users: texts('The hook runs for messages of these users alone.'),
      pattern: text('The hook runs if this regular expression is found in the text of the event.'),
    }),
    description: 'All of them must hold.',
  },
  skip_security_audit: flag('Asks Hookline not to audit the hook. It is done only if the user permits it.'),
  required: flag('Read by Hookline alone: if the hook applies and does not run, the action is denied.'),
};

export function schema(): JsonObject {
  const hook = { ...closed(FIELDS, MEANINGS, ['name', 'event', 'action']), description: 'The hook.' };
  const meanings = { hook, skip_security_audit: MEANINGS.skip_security_audit };
  return schemaOf('A hook as HOOK.toml', '`HOOK.toml`', closed(Object.keys(meanings), meanings, ['hook']));
}
