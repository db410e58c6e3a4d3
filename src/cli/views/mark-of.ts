/** The sign of a decision. Each has a colour, a sign and a word, because colour alone is not seen by everybody. */
import type { ViewEntry } from '../../views/views.ts';

export type MarkName = 'deny' | 'hold' | 'fault' | 'rewrite' | 'allow';

export function markOf({ sort, decision, faults, isRewritten }: ViewEntry): readonly [name: MarkName, glyph: string, word: string] {
  if (decision === 'deny') return ['deny', '✕', sort === 'act' ? 'refused' : 'denied'];
  if (decision === 'hold' || decision === 'ask') return ['hold', '‖', 'waits for a person'];
  if (faults > 0) return ['fault', '!', 'could not be asked'];
  if (isRewritten) return ['rewrite', '~', 'rewritten'];
  if (decision === 'unknown') return ['fault', '?', 'unreadable'];
  return ['allow', '✓', sort === 'act' ? 'done' : decision === 'allow' ? 'allowed' : 'passed'];
}
