/** The folders of one case: a state, a home, a working folder and a temporary folder, which are removed with everything that is left of it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HooklineError } from '../core/values/errors.ts';

export interface Scratch {
  readonly base: string;
  readonly state: string;
  readonly home: string;
  /** The working folder with the files of the case; undefined if it has none. */
  readonly work: string | undefined;
  /** Variables that lead a hook here instead of to the user's folders. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** @param ownHome the hooks are those of the user, whose scripts are in the home: then it is the real one */
export function createScratch(files: Readonly<Record<string, string>> | undefined, ownHome: boolean): Scratch {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-test-')));
  const [state, home, temporary, work] = ['state', 'home', 'tmp', 'work'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [state, home, temporary, ...(files ? [work] : [])]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files ?? {})) {
    const file = path.resolve(work, name);
    if (!file.startsWith(work + path.sep)) throw new HooklineError('bad-option', `The file \`${name}\` of a case leads out of its folder.`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const xdg = { XDG_CONFIG_HOME: path.join(home, '.config'), XDG_STATE_HOME: state, XDG_CACHE_HOME: path.join(home, '.cache') };
  return {
    ...{ base, state, home, work: files ? work : undefined },
    env: {
      TMPDIR: temporary,
      TMP: temporary,
      TEMP: temporary,
      ...(!ownHome && { HOME: home, USERPROFILE: home, HOOKLINE_HOME: '', ...xdg }),
    },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}
