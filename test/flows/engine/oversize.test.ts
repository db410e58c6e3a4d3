/** A hook that cannot be shown the whole event cannot consent to it. It may still deny. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';

/** A skill's hook is told of an event by a variable of its environment, which holds less than an event may. */
function guard(command: string): Readonly<Record<string, string>> {
  const entry = `PreToolUse:\n    - matcher: Bash\n      hooks: [{ type: command, command: ${JSON.stringify(command)} }]`;
  return { 'skills/guard/SKILL.md': `---\nname: guard\ndescription: A guard.\nhooks:\n  ${entry}\n---\n` };
}

const fire = async (command: string, size: number) => {
  const hookline = await createWorkspace(guard(command)).open();
  return hookline.fire('tool.before', { tool: 'Bash', input: { command: `: ${'x'.repeat(size)}` } });
};

test.each(['exit 0', 'echo fine', 'echo \'{"decision":"allow"}\''])(
  'the guard `%s` consents to what it sees, and not to what it does not',
  async (command) => {
    expect(await fire(command, 10)).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }] });
    const { decision, reason, hooks } = await fire(command, 4 * 1024 * 1024);
    expect({ decision, hooks }).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', fault: { kind: 'oversize' } }] });
    expect(reason).toContain('could not be shown the whole event');
  },
);

test('a guard that denies without having seen it all denies in its own words', async () => {
  const { decision, reason, hooks } = await fire('echo "Not today."; exit 2', 4 * 1024 * 1024);
  expect({ decision, hooks }).toMatchObject({ decision: 'deny', hooks: [{ status: 'answered', decision: 'deny' }] });
  expect(reason).toContain('Not today.');
});
