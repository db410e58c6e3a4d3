// What it costs to load a thousand hooks: time, and memory beyond what their files say.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { createHookline } from '../../dist/index.js';
import { inTurns, row } from './measure.mjs';
import { folder, frontmatters, hookFolder } from './sample-project.mjs';

const COUNT = 1000;

export async function loading() {
  const hooks = [hookFolder(COUNT)];
  const [root, home] = [folder('root-load'), folder('home-load')];
  const { medians } = await inTurns(9, {
    load: async () => {
      const start = performance.now();
      const engine = await createHookline({ root, home, hooks });
      const took = performance.now() - start;
      await engine.close();
      return took;
    },
  });
  return [
    row('loading 1,000 HOOK.md', medians.load, 'ms', 300),
    row('memory per hook beyond its frontmatter', memoryPerHook(root, home, hooks[0]), 'bytes', 4096),
  ];
}

/** In a process of its own, so that nothing else is on the heap. A first load, of other hooks, brings in the code. */
function memoryPerHook(root, home, hooks) {
  const script = `
    const { createHookline } = await import(${JSON.stringify(path.join(import.meta.dirname, '../../dist/index.js'))});
    const heap = () => { for (let i = 0; i < 4; i++) gc(); return process.memoryUsage().heapUsed; };
    const load = (hooks) => createHookline({ root: ${JSON.stringify(root)}, home: ${JSON.stringify(home)}, hooks: [hooks] });
    const event = { tool: 'Glob', input: { pattern: 'x' } };
    let first = await load(${JSON.stringify(hookFolder(COUNT, COUNT))});
    await first.fire('tool.before', event);
    await first.close();
    first = undefined;
    const before = heap();
    const engine = await load(${JSON.stringify(hooks)});
    await engine.fire('tool.before', event);
    console.log(heap() - before);
    await engine.close();
  `;
  const grown = Number(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], { encoding: 'utf8' }));
  const said = frontmatters(COUNT).reduce((sum, front) => sum + JSON.stringify(front).length, 0);
  return (grown - said) / COUNT;
}
