// What `hookline fire` and `hookline hook` cost when an agent starts them for every tool call: CPU time, against a Node that does nothing.
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
  const hook = () => {
    const args = [program, 'hook', 'claude-code', ...places, '--hooks', hookFolder(10)];
    const about = { hook_event_name: 'PreToolUse', session_id: 's', cwd: places[1], tool_use_id: 'u' };
    const payload = JSON.stringify({ ...about, tool_name: 'Glob', tool_input: { pattern: '**/*.ts' } });
    if (run(args, payload) !== '') throw new Error('ten hooks that do not match must leave the agent alone');
    return { warm: () => cost(args, payload), bare: () => cost(args, payload, { NODE_DISABLE_COMPILE_CACHE: '1' }) };
  };
  const guard = () => {
    const args = [program, 'guard', ...places.slice(2)];
    const payload = JSON.stringify({ tool: 'Bash', input: { command: 'git status' } });
    run(args, payload);
    return () => cost(args, payload);
  };
  // The first ten are plain; the ten from the third on have two regular expressions among them.
  const node = () => cost(['-e', '0']);
  const { medians, ratio } = await inTurns(15, { plain: fire(0), regular: fire(2), ...hook(), guard: guard(), node });
  return [
    row('cold `hookline fire`, ten hooks, none matching (CPU)', medians.plain, 'ms'),
    row('  `node -e 0` (CPU)', medians.node, 'ms'),
    row('cold `hookline fire`, against `node -e 0`', ratio('plain', 'node'), '×', 2),
    row('  the same with two real regular expressions', ratio('regular', 'node'), '×', 2.5),
    row('cold `hookline hook`, ten hooks, none matching, against `node -e 0`', ratio('warm', 'node'), '×', 2),
    row('  the same without the code cache', ratio('bare', 'node'), '×'),
    row('cold `hookline guard`, against `node -e 0`', ratio('guard', 'node'), '×'),
  ];
}
