/** The projects of a server: each has an engine with the hooks that `hookline hook` would find there, loaded and watched. */

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { openHookline } from '../../api/create-hookline.ts';
import { HOSTS } from '../../builtins.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { createHostAnswerer, denyHost } from '../../engine/answer-host.ts';
import type { Elsewhere } from '../../handlers/guard.ts';
import { type HomeFolders, resolveHome } from '../../load/find/home.ts';
import { foldersOf, isSameHome, readInstallation } from '../../load/find/installation.ts';
import { projectRoot } from '../../load/find/project-root.ts';
import { createAskers } from '../../people/askers.ts';
import { type Answering, Misdirected } from '../../server/answer-event.ts';
import { createProjects, type Project, type Projects } from '../../server/projects.ts';
import type { EventRequest } from '../../server/request.ts';
import type { Arguments } from '../arguments.ts';
import { engineOptions } from '../engine-options.ts';
import { PROJECT_VARIABLES, projectVariablesOf } from '../input/started-by.ts';
import { createJudgingThread } from './judging-thread.ts';

export interface ServedProjects extends Answering {
  /** Returns the report of the project's engine, or that the project is not open. */
  reload(root: string): Promise<unknown>;
  close(): Promise<void>;
}

export function serveProjects(args: Arguments, folders: HomeFolders): ServedProjects {
  const settings = path.join(folders.configFolder, 'hookline', 'settings.json');
  const look = cacheBriefly();
  const thread = createJudgingThread(folders.stateFolder, () => projects.busy >= BUSY);
  const projects: Projects = createProjects({
    open: (root) => openProject(args, root, thread.elsewhere),
    stamp: () => look(settings, () => stampOf(settings)),
  });
  const callers = createCallers(folders);
  const noteAsker = createAskers(folders.stateFolder);
  return {
    answer(asked) {
      const { host, event, cwd, root, env, installed, parent } = asked;
      if (parent !== undefined) noteAsker(parent);
      const caller = env === undefined ? '' : callers(env, installed);
      const payload = root === undefined && cwd === undefined ? read(asked.payload) : asked.payload;
      const said = root ?? cwd ?? (typeof payload === 'string' ? undefined : textOf(payload['cwd']));
      const place = (): string =>
        root === undefined ? projectRoot(realFolder(said, asked, folders), env ?? {}, projectVariablesOf(host), folders.home) : real(root);
      return projects.answer(
        look(`${said}\0${root}\0${host}\0${caller}`, place),
        // Without a spread, because this runs for every event.
        payload === asked.payload ? asked : { host, event, payload, cwd, root, env, installed, parent, caller: asked.caller },
      );
    },
    deny: ({ host, payload, event, env = {} }, why) => denyHost(host, payload, event, env, why, HOSTS),
    reload: async (root) => (await projects.reload(real(root))) ?? { open: false },
    async close() {
      await projects.close();
      await thread.close();
    },
  };
}

/** The number of events in the works from which a second thread helps. One agent seldom has as many. */
const BUSY = 4;

/**
 * Returns the variables that decide on the project, as text. A caller with another home has other hooks and settings than those that
 * are loaded here. An installed entry names its home by a record, and then no variable counts for that.
 */
function createCallers(folders: HomeFolders): (env: Environment, installed: string | undefined) => string {
  const known = new WeakMap<Environment, { readonly installed: string | undefined; readonly named: string }>();
  return (env, installed) => {
    const before = known.get(env);
    if (before && before.installed === installed) return before.named;
    const record = installed === undefined ? undefined : readInstallation(installed, env);
    const theirs = resolveHome({}, record ? foldersOf(record) : env);
    if (!isSameHome(theirs, folders)) throw new Misdirected(`the caller's home is ${theirs.home} with ${theirs.configFolder}`);
    const named = JSON.stringify(Object.entries(env).filter(([name]) => PROJECT_VARIABLES.includes(name)));
    known.set(env, { installed, named });
    return named;
  };
}

/** Caches a lookup for a tenth of a second, so that a burst of events does not read the disk each time. The watcher of hooks takes as long. */
function cacheBriefly(): (what: string, look: () => string) => string {
  const seen = new Map<string, { readonly value: string; readonly at: number }>();
  return (what, look) => {
    const now = performance.now();
    const known = seen.get(what);
    if (known && now - known.at < GLANCE_MS) return known.value;
    if (seen.size > MOST_SEEN) seen.clear();
    const value = look();
    seen.set(what, { value, at: now });
    return value;
  };
}

const GLANCE_MS = 100;
const MOST_SEEN = 200;

async function openProject(args: Arguments, root: string, elsewhere: Elsewhere): Promise<Project> {
  const options = engineOptions(args, root);
  const { hookline, engine, answerContext } = await openHookline({ ...options, watch: true }, process.env, undefined, elsewhere);
  const answer = createHostAnswerer(engine, answerContext);
  return {
    answer: ({ host, payload, event, env, parent, caller }) =>
      answer(host, payload, event, env ?? {}, env, { process: parent, presence: caller }),
    reload: () => hookline.reloadTool.execute(),
    // The server is the supervisor of detached hooks, so it stays until they have ended.
    close: () => hookline.close({ deadlineMs: CLOSE_MS, running: 'wait' }),
  };
}

const CLOSE_MS = 10_000;

/** Parses the payload, because a host that calls the address itself names its folder there. Text that is no JSON stays text: the answer reports it. */
function read(payload: string | JsonObject): string | JsonObject {
  if (typeof payload !== 'string') return payload;
  try {
    const event: unknown = JSON.parse(payload);
    return isObject(event) ? event : payload;
  } catch {
    return payload;
  }
}

/** A folder that only a payload names may not exist. Then the event belongs to no project. */
function realFolder(said: string | undefined, { cwd }: EventRequest, { home }: HomeFolders): string {
  if (cwd !== undefined) return real(cwd);
  const isFolder = said !== undefined && path.isAbsolute(said) && statSync(said, { throwIfNoEntry: false })?.isDirectory();
  return real(isFolder ? said : home);
}

const real = realpathSync.native;

/** Settings are read when a project is opened; hook files are watched. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.mtimeMs}:${found.size}` : '';
}
