/** `hookline serve` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from './options.ts';

export const serveSpec: CommandSpec = {
  name: 'serve',
  summary: "Answer agents' events from a process that stays, instead of starting one for each.",
  takes: '[status|stop|auto|manual]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    {
      name: 'port',
      value: 'N',
      help: 'The port on 127.0.0.1. Default: the one that agents were told with `install --via http`, else any that is free.',
    },
    { name: 'socket', value: 'PATH', help: "The unix socket. Default: one below the user's state folder." },
    {
      name: 'idle',
      value: 'SECONDS',
      help: 'Stop when nobody has asked for so long; 0: never. Default: 0; in the background 1800, unless agents call its port.',
    },
    { name: 'background', help: 'Start it apart from this terminal and come back.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Clients find it by themselves: `bin/hookline-hook HOST [EVENT]` asks it and costs a fraction of `hookline hook`. Where it does not run, does not answer or is of another version, the client does without it, with the same answer.',
    '`auto`: from now on a client that finds no server starts one in the background. `manual` takes that back. `status` and `stop` are about the one that runs; there is one for each user.',
    'It listens on 127.0.0.1 alone, wants a token that only you can read, and refuses pages in a browser. Hooks of each project are loaded when it first asks, and again when their files change. Exit code 1: one is running already, or none is.',
  ],
  examples: [
    { does: 'Let clients start it when it is needed', line: 'hookline serve auto' },
    { does: 'In a terminal, to look at it', line: 'hookline serve' },
    { does: 'For agents that call an address', line: 'hookline serve --port 4680 --background' },
    { does: 'Is it running?', line: 'hookline serve status' },
  ],
};
