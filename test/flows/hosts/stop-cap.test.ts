/** No hook keeps an agent at work for ever, although most agents start a process for each stop. Hooks see the true count in all of them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { EventKind } from '../../../src/core/event/event.ts';
import type { EventRule } from '../../../src/core/meaning/profile.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import type { HostAnswer } from '../../../src/engine/answer-host.ts';
import { LONG_MS } from '../../support/patience.ts';
import { answererFor, createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const CAP = 8;
const WHY = 'Run the tests.';

/** Every event of every host on which a hook can send the agent back to work. */
const STOPS = HOSTS.flatMap((host) =>
  Object.entries<EventRule>(host.dialect.profile.events)
    .filter(([, { kinds, grants }]) => kinds.includes('stop.before') && grants.includes('deny'))
    .map(([event]) => ({ host, event, id: host.id })),
);

/** The user's own hook that never lets an agent stop, and notes what it is told. */
const NEVER_CONTENT = {
  '~/.config/agents/hooks/never/HOOK.md': '---\nname: never\ndescription: Never content.\ntrigger: before_stop\n---\n',
  '~/.config/agents/hooks/never/scripts/run.sh': `#!/bin/sh\ncat >> "$HOME/seen"\necho >> "$HOME/seen"\nprintf '{"decision":"deny","reason":"${WHY}"}'\n`,
};

function payloadOf(host: Host, event: string, kind: EventKind, data: JsonObject, cwd: string): JsonObject {
  return host.dialect.wire.encodeEvent({ id: 'e', kind, at: new Date().toISOString(), session: { id: 's1', cwd }, data }, event);
}

const isDenied = ({ exit, stdout }: Pick<HostAnswer, 'stdout'> & { readonly exit: number | null }): boolean =>
  exit === 2 || stdout.includes(WHY);

function seenBy(workspace: Workspace): { readonly stop_hook_active: boolean; readonly continuations: number }[] {
  const lines = readFileSync(workspace.at('~/seen'), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line).context);
}

test('there are hosts to try', () => {
  expect(new Set(STOPS.map(({ id }) => id)).size).toBeGreaterThan(5);
});

test.each(STOPS)(
  '$id: of 11 processes that report $event, the ninth lets the agent stop',
  { timeout: LONG_MS },
  async ({ host, event }) => {
    const workspace = createWorkspace(NEVER_CONTENT);
    const stdin = JSON.stringify(payloadOf(host, event, 'stop.before', {}, workspace.root));
    const denied: boolean[] = [];
    for (let process = 0; process < 11; process++) denied.push(isDenied(await hookline(workspace, ['hook', host.id, event], { stdin })));
    expect(denied).toEqual([...Array(CAP).fill(true), false, true, true]);
    const seen = seenBy(workspace);
    expect(seen.map(({ continuations }) => continuations)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]);
    expect(seen.map((one) => one.stop_hook_active)).toEqual(seen.map(({ continuations }) => continuations > 0));
  },
);

/** The same in one process, with a new engine for each event. */
function inNewEngines(host: Host): {
  readonly stop: (event: string) => Promise<boolean>;
  readonly submit: (event: string, prompt: string) => Promise<void>;
} {
  const workspace = createWorkspace();
  const answer = async (event: string, kind: EventKind, data: JsonObject): Promise<HostAnswer> => {
    const engine = await workspace.open();
    engine.on('stop.before', () => ({ decision: 'deny', reason: WHY }));
    return answererFor(engine)(host.id, payloadOf(host, event, kind, data, workspace.root), event);
  };
  return {
    stop: async (event) => isDenied(await answer(event, 'stop.before', {})),
    submit: async (event, prompt) => void (await answer(event, 'prompt.submit', { prompt })),
  };
}

const promptOf = ({ dialect }: Host): string | undefined =>
  Object.entries<EventRule>(dialect.profile.events).find(([, { kinds }]) => kinds.includes('prompt.submit'))?.[0];

test.each(STOPS)('$id: the feedback that comes back as a prompt is no new prompt, and any other one is', async ({ host, event }) => {
  const prompt = promptOf(host);
  if (prompt === undefined) return;
  const { stop, submit } = inNewEngines(host);
  const denied: boolean[] = [];
  for (let i = 0; i < 9; i++) {
    denied.push(await stop(event));
    await submit(prompt, WHY);
  }
  expect(denied).toEqual([...Array(CAP).fill(true), false]);
  for (let i = 0; i < 5; i++) await stop(event);
  await submit(prompt, 'Something else.');
  const after: boolean[] = [];
  for (let i = 0; i < 9; i++) after.push(await stop(event));
  expect(after).toEqual([...Array(CAP).fill(true), false]);
});

const TOLD = HOSTS.flatMap((host) =>
  Object.entries<EventRule>(host.dialect.profile.events)
    .filter(([, { kinds, grants }]) => kinds.includes('stop.before') && !grants.includes('deny'))
    .map(([event]) => ({ host, event, id: host.id })),
);

test.each(TOLD)('$id only tells of $event, so nothing is counted there', async ({ host, event }) => {
  const workspace = createWorkspace();
  const counts: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const engine = await workspace.open();
    engine.on('stop.before', ({ data }) => {
      counts.push(data.continuations);
      return { decision: 'deny', reason: WHY };
    });
    await answererFor(engine)(host.id, payloadOf(host, event, 'stop.before', {}, workspace.root), event);
  }
  expect(counts).toEqual([0, 0, 0]);
});
