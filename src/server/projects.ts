/**
 * The projects a server holds open, each with its hooks loaded and watched. A bounded number: the one not used for longest goes first, and
 * none is closed under an event that it is still answering. What is opened under other settings is opened anew.
 */

import type { FrameContent } from './frame.ts';
import type { EventRequest } from './request.ts';

export interface Project {
  answer(eventRequest: EventRequest): Promise<FrameContent>;
  close(): Promise<unknown>;
}

export interface ProjectsOptions {
  open(root: string): Promise<Project>;
  /** Changes when something changes that a project only reads when it is opened. */
  stamp(): string;
  readonly most?: number;
}

export interface Projects {
  answer(root: string, eventRequest: EventRequest): Promise<FrameContent>;
  readonly size: number;
  close(): Promise<void>;
}

export function createProjects({ open, stamp, most = MOST }: ProjectsOptions): Projects {
  const held = new Map<string, Held>();
  const leaving = new Set<Promise<unknown>>();

  const letGo = (root: string, leaver: Held): void => {
    held.delete(root);
    const idle = new Promise<void>((resolve) => {
      leaver.idle = resolve;
      if (leaver.busy === 0) resolve();
    });
    const gone = idle.then(async () => (await leaver.project).close());
    // One that could not be opened has nothing to close.
    const done = gone.catch(() => {}).finally(() => leaving.delete(done));
    leaving.add(done);
  };

  const take = (root: string): Held => {
    const now = stamp();
    const known = held.get(root);
    if (known?.stamp === now) {
      // Last in the order of the map: used last.
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
      const done = (): void => {
        if (--held.busy === 0) held.idle?.();
      };
      answer.then(done, done);
      return answer;
    },
    get size() {
      return held.size;
    },
    async close() {
      for (const [root, project] of [...held]) letGo(root, project);
      await Promise.all(leaving);
    },
  };
}

interface Held {
  readonly project: Promise<Project>;
  /** The same, once it is there. */
  opened?: Project;
  /** Events that it is answering. */
  busy: number;
  /** Set once it is to go: called when it answers none any more. */
  idle?: () => void;
  readonly stamp: string;
}

const MOST = 16;
