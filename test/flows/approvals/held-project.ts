/** A project whose deploys want a person: a skill of three hooks, the second of which suspends. Who was asked is written to a file. */
import { existsSync, readFileSync } from 'node:fs';
import type { Hookline, HooklineOptions } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

export const deploy = { tool: 'Deploy', input: { environment: 'production' } };

export interface HeldProject extends Workspace {
  /** The hooks that were asked since the beginning, in order. */
  calls(): string[];
}

/** To be called within a test. */
export function createHeldProject(): HeldProject {
  const workspace = createWorkspace();
  const file = workspace.at('~/calls.txt');
  const note = (name: string): string => `        - type: command\n          command: echo ${name} >> '${file}'\n`;
  const skill = `---
name: deploys
description: Deployments are approved by a person.
hooks:
  PreToolUse:
    - matcher: Deploy
      hooks:
${note('first')}        - type: person
${note('last')}---
`;
  workspace.write({ 'skills/deploys/SKILL.md': skill });
  return {
    ...workspace,
    calls: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    open: (options: HooklineOptions = {}): Promise<Hookline> =>
      workspace.open({ skills: [workspace.at('skills')], handlers: { person: () => ({ pending: {} }) }, ...options }),
  };
}

export async function hold(hookline: Hookline, payload: typeof deploy = deploy): Promise<string> {
  const { decision, ticket, reason } = await hookline.fire('tool.before', payload);
  if (decision !== 'hold' || !ticket) throw new Error(`It was not held: ${decision}, ${reason}`);
  return ticket.id;
}

/** Lets the other side get as far as to wait. */
export function aMoment(ms = 300): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
