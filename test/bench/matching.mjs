// What an event costs that no hook cares about: the price everybody pays on every tool call.
import { createHooks } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import { createHookline } from '../../dist/index.js';
import { inTurns, perCall, row } from './measure.mjs';
import { folder, frontmatters, hookFolder } from './sample-project.mjs';

const CALLS = 5000;
const ROUNDS = 15;
const input = { pattern: '**/*.ts', path: 'src' };

export async function matching() {
  const [ten, thousand, tenThousand] = [await engineWith(10), await engineWith(1000), await engineWith(10_000)];
  let unseen = 0;
  const seen = (engine) => perCall(CALLS, () => engine.fire('tool.before', { tool: 'Glob', input }));
  const { medians, ratio } = await inTurns(ROUNDS, {
    seen: seen(thousand),
    unseen: perCall(CALLS, () => thousand.fire('tool.before', { tool: `Never${unseen++}`, input })),
    ten: seen(ten),
    tenThousand: seen(tenThousand),
    hookable: perCall(CALLS / 20, hookableWith(1000)),
    tapable: perCall(CALLS / 20, tapableWith(1000)),
  });
  for (const engine of [ten, thousand, tenThousand]) await engine.close();
  return [
    row('no hook of 1,000 matches, tool seen before', medians.seen, 'µs', 2),
    row('no hook of 1,000 matches, tool never seen', medians.unseen, 'µs', 10),
    row('10,000 hooks against 10, none matching', ratio('tenThousand', 'ten'), '×', 2),
    row('  hookable, 1,000 handlers that test for themselves', medians.hookable, 'µs'),
    row('  tapable, 1,000 handlers that test for themselves', medians.tapable, 'µs'),
  ];
}

async function engineWith(count) {
  const home = folder(`home-${count}`);
  const engine = await createHookline({ root: folder(`root-${count}`), home, hooks: [hookFolder(count)] });
  const { hooks } = await engine.list();
  if (hooks.length !== count) throw new Error(`${hooks.length} of ${count} hooks were loaded: ${JSON.stringify(engine.diagnostics[0])}`);
  return engine;
}

/** Without an index every handler looks for itself whether it is meant. */
const testers = (count) =>
  frontmatters(count).map(({ matcher }) => {
    const tool = new RegExp(matcher.tool);
    return ({ tool: name }) => void tool.test(name);
  });

function hookableWith(count) {
  const hooks = createHooks();
  for (const tester of testers(count)) hooks.hook('tool.before', tester);
  return () => hooks.callHook('tool.before', { tool: 'Glob', input });
}

function tapableWith(count) {
  const hook = new AsyncSeriesHook(['event']);
  for (const [i, tester] of testers(count).entries()) hook.tap(`tester-${i}`, tester);
  return () => hook.promise({ tool: 'Glob', input });
}
