/** What holds in every agent, as far as the agent lets hooks do it: told by what its host grants, not by its name. */
import { describe, expect } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import type { Grant } from '../../src/core/decision/decision.ts';
import type { EventKind } from '../../src/core/event/event.ts';
import { type Agent, testIn } from './agent.ts';
import { ASK, CONTEXT, GATES, PROMPT_CONTEXT, REWRITE, STOP } from './project.ts';
import { runSession } from './session.ts';

const LIMIT_MS = 180_000;

export function describeAgent(agent: Agent): void {
  const grants = (kind: EventKind, grant: Grant): boolean => {
    const { profile } = HOSTS.find(({ id }) => id === agent.id)?.dialect ?? {};
    return Object.values(profile?.events ?? {}).some((rule) => rule.kinds.includes(kind) && rule.grants.includes(grant));
  };
  const law = (name: string, run: () => Promise<void>): void => testIn(agent, name, LIMIT_MS, run);
  const shell = (word: string) => agent.shell(`touch ran-${word}`);

  describe(`hooks in ${agent.id}`, () => {
    law('a command that nobody objects to runs', async () => {
      const session = await runSession(agent, [shell('freely')]);
      expect(session.has('ran-freely'), session.output).toBe(true);
    });

    for (const [format, { word, says }] of Object.entries(GATES)) {
      law(`a command that a ${format} hook denies does not run, and the model is told why`, async () => {
        const session = await runSession(agent, [shell(word), shell('afterwards')]);
        expect([session.has(`ran-${word}`), session.has('ran-afterwards')], session.output).toEqual([false, true]);
        expect(session.heard[1]).toContain(says);
      });
    }

    law('what a hook puts in the place of a command runs, or nothing does', async () => {
      const session = await runSession(agent, [shell(REWRITE.from)]);
      expect([session.has(`ran-${REWRITE.from}`), session.has(`ran-${REWRITE.to}`)], session.output).toEqual([
        false,
        grants('tool.before', 'rewrite'),
      ]);
    });

    law('what a person should decide does not run while nobody is there', async () => {
      const session = await runSession(agent, [shell(ASK.word)]);
      expect(session.has(`ran-${ASK.word}`), session.output).toBe(false);
    });

    law('what a hook adds to the context reaches the model', async () => {
      const session = await runSession(agent, [shell(CONTEXT.word)]);
      expect(session.has(`ran-${CONTEXT.word}`), session.output).toBe(true);
      expect(session.heard[0]?.includes(PROMPT_CONTEXT), session.output).toBe(grants('prompt.submit', 'context'));
      expect(session.heard[1]?.includes(CONTEXT.before)).toBe(grants('tool.before', 'context'));
      expect(session.heard[1]?.includes(CONTEXT.after)).toBe(grants('tool.after', 'context'));
    });

    law('an agent that may not stop yet goes on, and the model is told why', async () => {
      const session = await runSession(agent, [{ say: 'I am done.' }, shell('at-last')], { files: { [STOP.file]: '' } });
      expect([session.has(STOP.file), session.has('ran-at-last')], session.output).toEqual([false, grants('stop.before', 'deny')]);
      if (grants('stop.before', 'deny')) expect(session.heard[1]).toContain(STOP.says);
    });
  });
}
