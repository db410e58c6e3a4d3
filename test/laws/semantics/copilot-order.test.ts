/** Several hooks of Copilot on one tool: what each is shown, and which are asked at all. Found out on Copilot itself. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** The second one keeps what it is shown. */
async function fire(first: object): Promise<{ outcome: Outcome; shown: string }> {
  const entries = [{ bash: `echo '${JSON.stringify(first)}'` }, { bash: 'cat > shown' }];
  const workspace = createWorkspace({ '.github/hooks/two.json': JSON.stringify({ hooks: { preToolUse: entries } }), shown: 'nothing' });
  const hookline = await workspace.open();
  const outcome = await hookline.fire('tool.before', { tool: 'bash', input: { command: 'ls' } });
  return { outcome, shown: readFileSync(workspace.at('shown'), 'utf8') };
}

test('a later hook is shown what an earlier one left', async () => {
  const { outcome, shown } = await fire({ modifiedArgs: { command: 'ls -l' } });
  expect(outcome.rewrite).toEqual({ command: 'ls -l' });
  expect(JSON.parse(shown)).toMatchObject({ toolArgs: { command: 'ls -l' } });
});

test.each(['deny', 'ask'])('after %s no other is asked', async (permissionDecision) => {
  const { shown } = await fire({ permissionDecision, permissionDecisionReason: 'No.' });
  expect(shown).toBe('nothing');
});

test('after an allow the others still are', async () => {
  const { shown } = await fire({ permissionDecision: 'allow' });
  expect(shown).toContain('"toolName":"bash"');
});
