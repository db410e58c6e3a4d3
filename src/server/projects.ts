/**
 * Keeps a bounded number of projects open, each with its hooks loaded and watched. The least recently used project is closed first, but
 * only after it has answered its events. A project is reopened when the settings change.
 */

import type { FrameContent } from './frame.ts';
import type { EventRequest } from './request.ts';

export interface Project {
  answer(eventRequest: EventRequest): Promise<FrameContent>;
  reload(): Promise<unknown>;
  close(): Promise<unknown>;
}

export interface ProjectsOptions {
  open(root: string): Promise<Project>;
  /** Changes whenever something changes that a project reads only when it is opened. */
  stamp(): string;
  readonly most?: number;
}

export interface Projects {
  answer(root: string, eventRequest: EventRequest): Promise<FrameContent>;
  /** Reads the hooks of a project again. Undefined if the project is not open. */
  reload(root: string): Promise<unknown> | undefined;
  readonly size: number;
  /** The number of events that are being answered. */
  readonly busy: number;
  close(): Promise<void>;
}

export function createProjects({ open, stamp, most = MOST }: ProjectsOptions): Projects {
  const held = new Map<string, Held>();
  let busy = 0;
  const leaving = new Set<Promise<unknown>>();

  const letGo = (root: string, leaver: Held): void => {
    held.delete(root);
    const idle = new Promise<void>((resolve) => {
      leaver.idle = resolve;
      if (leaver.busy === 0) resolve();
    });
    const gone = idle.then(async () => (await leaver.project).close());
    // A project that could not be opened has nothing to close.
    const done = gone.catch(() => {}).finally(() => leaving.delete(done));
    leaving.add(done);
  };

  const take = (root: string): Held => {
    const now = stamp();
    const known = held.get(root);
    if (known?.stamp === now) {
      // Moves the project to the end of the map, where the most recently used one is.
      held.delete(root);
      held.set(root, known);
      return known;
    }
    if (known) letGo(root, known);
    const fresh: Held = { project: open(root), busy: 0, stamp: now };
    held.set(root, fresh);
    fresh.project.then(
      (project) => {
        fresh.opened = project;
      },
      () => held.get(root) === fresh && held.delete(root),
    );
    for (const [oldest, project] of held) {
      if (held.size <= most) break;
      letGo(oldest, project);
    }
    return fresh;
  };

  return {
    answer(root, eventRequest) {
      const held = take(root);
      const { opened } = held;
      const answer = opened ? opened.answer(eventRequest) : held.project.then((project) => project.answer(eventRequest));
      held.busy++;
      busy++;
      const done = (): void => {
        busy--;
        if (--held.busy === 0) held.idle?.();
      };
      answer.then(done, done);
      return answer;
    },
    reload(root) {
      return held.get(root)?.project.then((project) => project.reload());
    },
    get size() {
      return held.size;
    },
    get busy() {
      return busy;
    },
    async close() {
      for (const [root, project] of [...held]) letGo(root, project);
      await Promise.all(leaving);
    },
  };
}

interface Held {
  readonly project: Promise<Project>;
  /** The same project, once it is open. */
  opened?: Project;
  /** The number of events it is answering. */
  busy: number;
  /** Set when the project is to be closed. Called when it answers no event any more. */
  idle?: () => void;
  readonly stamp: string;
}

const MOST = 16;
