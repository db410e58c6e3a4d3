/** What a server answers with: for each project an engine with the hooks that `hookline hook` would find there, loaded and watched. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../api/create-hookline.ts';
import { createHostAnswerer } from '../api/host-answer.ts';
import { hostSurroundings } from '../api/host-surroundings.ts';
import { HOSTS } from '../builtins.ts';
import type { HomeFolders } from '../config/home.ts';
import { isObject, textOf } from '../core/json.ts';
import type { Asked } from '../daemon/asked.ts';
import type { Said } from '../daemon/frame.ts';
import { createProjects, type Project } from '../daemon/projects.ts';
import type { Arguments } from './arguments.ts';
import { engineOptions } from './engine-options.ts';
import { hostRoot } from './host-root.ts';

export interface ServedProjects {
  answer(asked: Asked): Promise<Said>;
  close(): Promise<void>;
}

/** Names of variables by which hosts tell who they are and where they work. */
export const HOST_VARIABLES: readonly string[] = [
  ...new Set([
    ...['CLAUDE', 'GEMINI', 'QWEN', 'CURSOR', 'FACTORY', 'DROID', 'AUGMENT', 'CRUSH', 'CONTINUE'].map((agent) => `${agent}_PROJECT_DIR`),
    ...HOSTS.flatMap(({ signs }) => signs.env ?? []),
  ]),
];

export function serveProjects(args: Arguments, folders: HomeFolders): ServedProjects {
  const settings = path.join(folders.configFolder, 'hookline', 'settings.json');
  const look = glances();
  const projects = createProjects({ open: (root) => openProject(args, root), stamp: () => look(settings, () => stampOf(settings)) });
  return {
    answer(asked) {
      const { cwd, root, env } = asked;
      const where = cwd === undefined && root === undefined ? undefined : JSON.stringify([cwd, root, env]);
      const project = where === undefined ? rootOf(asked, folders.home) : look(where, () => rootOf(asked, folders.home));
      return projects.answer(project, asked);
    },
    close: () => projects.close(),
  };
}

/** What was seen a moment ago counts: a burst of events need not look at the disk each time. As long as the watching of hooks takes. */
function glances(): (what: string, look: () => string) => string {
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

async function openProject(args: Arguments, root: string): Promise<Project> {
  const options = engineOptions(args, root);
  const hookline = await createHookline({ ...options, watch: true });
  const answer = createHostAnswerer(hookline, hostSurroundings(options));
  return {
    answer: ({ host, payload, event, env }) => answer(host, payload, event, env),
    close: () => hookline.close(CLOSE_MS),
  };
}

const CLOSE_MS = 10_000;

/** As for the command: by what the agent says and where it works. One that calls the address itself says in its payload where that is. */
function rootOf({ cwd, root, payload, env }: Asked, home: string): string {
  if (root !== undefined) return realpathSync.native(root);
  const folder = realpathSync.native(cwd ?? folderIn(payload) ?? home);
  return hostRoot(folder, env, home);
}

function folderIn(payload: string): string | undefined {
  try {
    const event: unknown = JSON.parse(payload);
    const folder = isObject(event) ? textOf(event['cwd']) : undefined;
    return folder !== undefined && path.isAbsolute(folder) && statSync(folder).isDirectory() ? folder : undefined;
  } catch {
    // It is no JSON, which the answer will say, or names a folder that is gone.
    return undefined;
  }
}

/** Settings are read when a project is opened; hook files are watched. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.mtimeMs}:${found.size}` : '';
}
