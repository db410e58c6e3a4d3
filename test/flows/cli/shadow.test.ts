/** The command names the hooks in shadow, and tells what they would have done. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const HOOK = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "Not today." >&2; exit 2' }] }] } };

test('fire lets the action pass, and list, doctor, log and why show the hook in shadow', async () => {
  const workspace = createWorkspace({
    '~/.claude/settings.json': JSON.stringify(HOOK),
    '~/.config/hookline/settings.json': JSON.stringify({ shadow: ['~/.claude/settings.json'] }),
  });
  const fired = await hookline(workspace, ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}']);
  expect(fired.exit).toBe(0);
  const told = /is in shadow and would have denied it: Not today/;
  for (const argv of [['log'], ['why']]) expect((await hookline(workspace, argv)).stdout.replace(/\s+/g, ' ')).toMatch(told);
  expect((await hookline(workspace, ['list'])).stdout).toContain('active, in shadow');
  const doctor = JSON.parse((await hookline(workspace, ['doctor', '--json'])).stdout);
  expect(JSON.stringify(doctor)).toContain('hook-in-shadow');
});
