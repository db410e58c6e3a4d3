import { expect, test } from 'vitest';
import { createProjects, type ProjectsOptions } from '../../../src/server/projects.ts';
import type { EventRequest } from '../../../src/server/request.ts';

const ASKED: EventRequest = {
  host: 'h',
  event: undefined,
  payload: '{}',
  cwd: undefined,
  root: undefined,
  env: {},
  installed: undefined,
  parent: undefined,
};
const SAID = { stdout: '', stderr: '', exit: 0 };

function watched(more: Partial<ProjectsOptions> = {}, answer: () => Promise<typeof SAID> = async () => SAID) {
  const log: string[] = [];
  const projects = createProjects({
    async open(root) {
      log.push(`open ${root}`);
      return {
        answer,
        reload: async () => log.push(`reload ${root}`),
        close: async () => log.push(`close ${root}`),
      };
    },
    stamp: () => '',
    ...more,
  });
  return { projects, log };
}

test('a project is opened once, however many events ask at the same time', async () => {
  const { projects, log } = watched();
  await Promise.all([1, 2, 3].map(() => projects.answer('/a', ASKED)));
  expect(log).toEqual(['open /a']);
});

test('only a project that is open is reloaded', async () => {
  const { projects, log } = watched();
  expect(projects.reload('/a')).toBeUndefined();
  await projects.answer('/a', ASKED);
  await projects.reload('/a');
  expect(log).toEqual(['open /a', 'reload /a']);
});

test('the project not used for longest makes room', async () => {
  const { projects, log } = watched({ most: 2 });
  for (const root of ['/a', '/b', '/a', '/c']) await projects.answer(root, ASKED);
  await projects.close();
  expect(log.slice(0, 4)).toEqual(['open /a', 'open /b', 'open /c', 'close /b']);
  expect(log.slice(4).sort()).toEqual(['close /a', 'close /c']);
});

test('a project that is answering is closed only afterwards', async () => {
  let finish = (_: typeof SAID): void => {};
  const slow = new Promise<typeof SAID>((resolve) => {
    finish = resolve;
  });
  const { projects, log } = watched({ most: 1 }, () => slow);
  const first = projects.answer('/a', ASKED);
  void projects.answer('/b', ASKED);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log).toEqual(['open /a', 'open /b']);
  finish(SAID);
  expect(await first).toBe(SAID);
  await projects.close();
  expect(log.slice(2).sort()).toEqual(['close /a', 'close /b']);
});

test('other settings open a project anew', async () => {
  let stamp = '1';
  const { projects, log } = watched({ stamp: () => stamp });
  await projects.answer('/a', ASKED);
  stamp = '2';
  await projects.answer('/a', ASKED);
  await projects.close();
  expect(log).toEqual(['open /a', 'open /a', 'close /a', 'close /a']);
});

test('a project that can not be opened fails that event, and is tried again with the next', async () => {
  let fails = true;
  const { projects } = watched({
    open: async () =>
      fails ? Promise.reject(new Error('no')) : { answer: async () => SAID, reload: async () => {}, close: async () => {} },
  });
  await expect(projects.answer('/a', ASKED)).rejects.toThrow('no');
  fails = false;
  expect(await projects.answer('/a', ASKED)).toBe(SAID);
});
