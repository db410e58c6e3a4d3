/** A process that answers one event leaves the store as it is, because tidying up takes longer than the entry. Nothing is lost by that. */
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const GUARD = '---\nname: guard\ndescription: The guard.\ntrigger: before_tool\nmetadata:\n  command: hookline guard\n---\n';
const LOG = '~/.local/state/hookline/hookline.db-wal';
const SHORT = 2 ** 18;

test('every event is in the log, and a write-ahead log that became long is moved into the file', async () => {
  const workspace = createWorkspace({ '~/.config/agents/hooks/guard/HOOK.md': GUARD });
  const leftBehind = (): number => statSync(workspace.at(LOG), { throwIfNoEntry: false })?.size ?? 0;
  const sizes: number[] = [];
  do {
    const tool_input = { file_path: `notes-${sizes.length}.md`, content: 'x'.repeat(30_000) };
    const stdin = JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Write', tool_input });
    expect((await hookline(workspace, ['hook', 'claude-code'], { stdin })).exit).toBe(0);
    sizes.push(leftBehind());
  } while (sizes.at(-1) !== 0 && sizes.length < 40);
  expect(sizes[0]).toBeGreaterThan(0);
  expect(sizes.at(-1)).toBe(0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(SHORT);
  const { stdout } = await hookline(workspace, ['log', '--json', '--limit', '100']);
  const { entries } = JSON.parse(stdout) as { entries: readonly { readonly tool: string | null }[] };
  expect(entries.filter(({ tool }) => tool === 'Write')).toHaveLength(sizes.length);
});
