/**
 * The same settings and the same payloads, twice: Claude Code runs its own hooks in a session, and the engine runs them on every payload that
 * was recorded there.
 */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/core/values/json.ts';
import type { Outcome } from '../../src/index.ts';
import type { Workspace } from '../support/workspace.ts';
import { claudeCode } from './claude-code.ts';
import type { Turn } from './model/turn.ts';
import { runSession, type Session } from './session.ts';

export type Groups = readonly { readonly matcher?: string; readonly hooks: readonly object[] }[];

export interface Scene {
  readonly hooks: Readonly<Record<string, Groups>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly turns: readonly Turn[];
  /** How Claude Code is started. */
  readonly options?: readonly string[];
}

export interface Truth {
  readonly session: Session;
  /** What the engine makes of each payload, in the order in which Claude Code has written them. */
  replay(): Promise<readonly { readonly payload: JsonObject; readonly outcome: Outcome }[]>;
}

const RECORDER = { hooks: [{ type: 'command', command: 'cat >> "$CLAUDE_PROJECT_DIR"/payloads' }] };

/** To be called within a test. */
export async function tellTruth({ hooks, files, turns, options }: Scene): Promise<Truth> {
  const recorded = Object.fromEntries(Object.entries(hooks).map(([event, groups]) => [event, [RECORDER, ...groups]]));
  const settings = { '.claude/settings.json': JSON.stringify({ hooks: recorded }) };
  const session = await runSession(claudeCode(options), turns, { alone: true, files: { ...files, ...settings } });
  return { session, replay: () => replay(session.workspace) };
}

async function replay(workspace: Workspace): Promise<{ payload: JsonObject; outcome: Outcome }[]> {
  const payloads = linesOf(workspace, 'payloads').map((line) => JSON.parse(line) as JsonObject & { hook_event_name: string });
  const hookline = await workspace.open({ only: ['claude-code'] });
  const outcomes: { payload: JsonObject; outcome: Outcome }[] = [];
  for (const payload of payloads) {
    outcomes.push({ payload, outcome: await hookline.fire({ as: 'claude-code', event: payload.hook_event_name, payload }) });
  }
  return outcomes;
}

export function linesOf(workspace: Workspace, name: string): readonly string[] {
  return readFileSync(workspace.at(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** What hooks of these tests say, told apart from all other text: `WHY-…` for reasons, `CTX-…` for context. */
export function marksIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:WHY|CTX)-[\w-]+/g) ?? [])].sort();
}

export function marksOf({ reason, context }: Outcome): readonly string[] {
  return marksIn([reason ?? '', ...context].join('\n'));
}
