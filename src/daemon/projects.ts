/**
 * The projects a server holds open, each with its hooks loaded and watched. A bounded number: the one not used for longest goes first, and
 * none is closed under an event that it is still answering. What is opened under other settings is opened anew.
 */
import type { Asked } from './asked.ts';
import type { Said } from './frame.ts';

export interface Project {
  answer(asked: Asked): Promise<Said>;
  close(): Promise<unknown>;
}

export interface ProjectsOptions {
  open(root: string): Promise<Project>;
  /** Changes when something changes that a project only reads when it is opened. */
  stamp(): string;
  readonly most?: number;
}

export interface Projects {
  answer(root: string, asked: Asked): Promise<Said>;
  readonly size: number;
  close(): Promise<void>;
}

export function createProjects({ open, stamp, most = MOST }: ProjectsOptions): Projects {
  const held = new Map<string, Held>();
  const leaving = new Set<Promise<unknown>>();

  const letGo = (root: string, { project, busy }: Held): void => {
    held.delete(root);
    const gone = Promise.allSettled([...busy]).then(async () => (await project).close());
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
    const fresh: Held = { project: open(root), busy: new Set(), stamp: now };
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
    answer(root, asked) {
      const held = take(root);
      const { busy, opened } = held;
      const answer = opened ? opened.answer(asked) : held.project.then((project) => project.answer(asked));
      busy.add(answer);
      const done = (): void => void busy.delete(answer);
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
  readonly busy: Set<Promise<Said>>;
  readonly stamp: string;
}

const MOST = 16;
