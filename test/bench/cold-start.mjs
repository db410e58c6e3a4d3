// What `hookline fire` and `hookline guard` cost when they are started for every tool call: CPU time, against a Node that does nothing.
import { inTurns, row } from './measure.mjs';
import { cost, program, run } from './process-cost.mjs';
import { folder, hookFolder } from './sample-project.mjs';

export async function coldStart() {
  const places = ['--root', folder('root-cold'), '--home', folder('home-cold')];
  // As after the first recorded event: the code cache is kept only where there is a state folder.
  folder('home-cold/.local/state/hookline');
  const fire = (first) => {
    const call = ['fire', 'tool.before', '--tool', 'Glob', '--input', '{"pattern":"**/*.ts"}', '--json'];
    const args = [program, ...call, ...places, '--hooks', hookFolder(10, first)];
    const { unmatched, hooks } = JSON.parse(run(args));
    if (unmatched !== 10 || hooks.length > 0) throw new Error('ten hooks must be loaded, and none may match');
    return () => cost(args);
  };
  const guard = () => {
    const args = [program, 'guard', ...places.slice(2)];
    const payload = JSON.stringify({ tool: 'Bash', input: { command: 'git status' } });
    run(args, payload);
    return () => cost(args, payload);
  };
  // The first ten are plain; the ten from the third on have two regular expressions among them.
  const node = () => cost(['-e', '0']);
  const { medians, ratio } = await inTurns(15, { plain: fire(0), regular: fire(2), guard: guard(), node });
  return [
    row('cold `hookline fire`, ten hooks, none matching (CPU)', medians.plain, 'ms'),
    row('  `node -e 0` (CPU)', medians.node, 'ms'),
    row('cold `hookline fire`, against `node -e 0`', ratio('plain', 'node'), '×', 2),
    row('  the same with two real regular expressions', ratio('regular', 'node'), '×', 2.5),
    row('cold `hookline guard`, against `node -e 0`', ratio('guard', 'node'), '×'),
  ];
}
