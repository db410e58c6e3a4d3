/** What `git config`, `git clone -c` and template options set. Reading and taking away set nothing. */
import type { GitLine } from './command-line.ts';
import { type Options, readOptions } from './options.ts';
import { type Setting, settingOf } from './settings.ts';

export function storedSettings({ subcommand, args }: GitLine): readonly Setting[] {
  if (subcommand === 'config' || subcommand === 'config set') return configured(subcommand, readOptions(subcommand, args));
  if (subcommand !== 'clone' && subcommand !== 'init') return [];
  const options = readOptions(subcommand, args);
  const template = options.value('template');
  return [
    ...options.values('config').map((text) => settingOf(text, 'option')),
    ...(template === undefined || template === '' ? [] : [{ key: 'init.templatedir', value: template, via: 'option' as const }]),
  ];
}

/** The whole configuration is opened in an editor. */
export function editsConfig({ subcommand, args }: GitLine): boolean {
  return subcommand === 'config edit' || (subcommand === 'config' && readOptions('config', args).has('edit'));
}

const READING = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'get-color', 'get-colorbool'];
const REMOVING = ['unset', 'unset-all', 'remove-section', 'rename-section'];

function configured(subcommand: string, options: Options): readonly Setting[] {
  const [key, value] = options.operands;
  if (options.help || key === undefined || options.has(...READING, ...REMOVING, 'edit')) return [];
  if (value === undefined && !(subcommand === 'config set' || options.has('add', 'replace-all'))) return [];
  return [{ key: key.toLowerCase(), value: value ?? '', via: 'config' }];
}
