/** `hookline log` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from './options.ts';

export const logSpec: CommandSpec = {
  name: 'log',
  summary: 'Look up past decisions, watch new ones, and check that the record is whole.',
  takes: '[verify|prune]',
  words: { min: 0, max: 1, missing: '' },
  options: [
    { name: 'follow', help: 'Show new decisions as they are made, until Ctrl-C. With --json: one document per line.' },
    { name: 'session', value: 'ID', help: 'Only decisions of this session.' },
    { name: 'tool', value: 'NAME', help: 'Only decisions on this tool.' },
    { name: 'decision', value: 'KIND', help: 'Only these: pass, allow, ask, hold or deny.' },
    { name: 'hook', value: 'NAME', help: 'Only where a hook with this in its name was asked or skipped.' },
    { name: 'since', value: 'WHEN', help: 'Not older than this: an age such as 90s, 15m, 1h, 30d, or an ISO date.' },
    { name: 'until', value: 'WHEN', help: 'Not newer than this.' },
    { name: 'limit', value: 'N', help: 'The newest N of them. Default: 50; with --follow 10.' },
    { name: 'head', value: 'HASH', help: 'With `verify`: the last hash of an earlier time, which must still be there.' },
    { name: 'before', value: 'WHEN', help: 'With `prune`: remove what is older than this.' },
    { name: 'yes', help: 'With `prune`: remove without asking.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Secrets in common shapes are masked before anything is written. Each entry is bound to the one before it by a hash: `hookline log verify` shows whether one was changed or removed. Exit code 1 if so.',
    '`hookline log prune` removes old entries and keeps an anchor, so that the rest still verifies.',
  ],
  examples: [
    { does: 'What was denied in the last hour', line: 'hookline log --decision deny --since 1h' },
    { does: 'Watch one tool', line: 'hookline log --follow --tool Bash' },
    { does: 'Was the record tampered with?', line: 'hookline log verify' },
    { does: 'Keep three months', line: 'hookline log prune --before 90d --yes' },
  ],
};
