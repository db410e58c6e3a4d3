/** An agent that asks Hookline about some calls, and about actions that wait for a person. It is bundled, so it imports nothing else. */
import { createHookline } from 'hookline';
import { guardCommand } from 'hookline/guard';

/** Above this, a process has its hooks started by a helper, whose file no bundle contains. */
const LARGE_BYTES = 320 * 1024 * 1024;

/** @param {{ root: string, home: string, calls: [tool: string, input: object][] }} scene */
export async function report({ root, home, calls }) {
  const ballast = Buffer.alloc(LARGE_BYTES, 1);
  const open = (store) => createHookline({ root, home, trust: 'all', store });
  const hookline = await open('memory:');
  const decisions = {};
  for (const [tool, input] of calls) decisions[tool] = briefly(await hookline.fire('tool.before', { tool, input }));
  const guard = ['rm -rf /', 'ls'].map((command) => guardCommand(command).decision);
  await hookline.close();
  const held = await hold(await open(`sqlite:${home}/held.db`));
  const heldInPostgres = await hold(await open('postgres://127.0.0.1:1/none'));
  return { decisions, guard, held, heldInPostgres, isLarge: process.memoryUsage.rss() > ballast.length };
}

function briefly({ decision, hooks, diagnostics }) {
  return {
    decision,
    by: hooks.filter((hook) => hook.decision === 'deny').map(({ dialect, exit }) => ({ dialect, exit })),
    diagnostics: diagnostics.map(({ code }) => code),
  };
}

async function hold(hookline) {
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'A person decides.' }));
  const { decision, reason } = await hookline.fire('tool.before', { tool: 'Deploy', input: {} });
  const stored = decision === 'hold' ? (await hookline.approvals.list()).length : 0;
  await hookline.close();
  return { decision, reason, stored };
}
