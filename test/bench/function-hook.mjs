// What one function costs as a hook, against a library that does nothing but call functions.
import { createHooks } from 'hookable';
import { createHookline } from '../../dist/index.js';
import { inTurns, perCall, row } from './measure.mjs';
import { folder } from './sample-project.mjs';

export async function functionHook() {
  const engine = await createHookline({ root: folder('root-function'), home: folder('home-function') });
  engine.on('tool.before', () => undefined, { match: 'Bash' });
  const hooks = createHooks();
  hooks.hook('tool.before', () => undefined);
  const event = { tool: 'Bash', input: { command: 'ls' } };
  const { medians, ratio } = await inTurns(41, {
    hookline: perCall(5000, () => engine.fire('tool.before', event)),
    hookable: perCall(5000, () => hooks.callHook('tool.before', event)),
  });
  await engine.close();
  return [
    row('one matching function', medians.hookline, 'µs'),
    row('  hookable.callHook with one function', medians.hookable, 'µs'),
    row('one matching function, against hookable', ratio('hookline', 'hookable'), '×', 0.6),
  ];
}
