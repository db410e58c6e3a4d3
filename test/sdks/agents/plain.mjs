// A loop of one's own with `wrapTool`, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import { createHookline, HaltError, HeldError, wrapTool } from 'hookline';
import { performJob } from 'hookline/testing';

/** Makes every call that has no result yet, then calls the model again. */
async function agent({ hookline, session, calls, answer, tools, signal, resume }) {
  const seen = resume?.seen ?? {};
  let modelCalls = resume ? 0 : 1;
  const wrapped = Object.fromEntries(
    Object.entries(tools).map(([name, run]) => [name, wrapTool(hookline, { name, session, onHold: 'throw' }, run)]),
  );
  const held = [];
  const made = (resume?.calls ?? calls).filter(({ id }) => !(id in seen));
  const results = await Promise.allSettled(made.map(({ id, tool, input }) => wrapped[tool](input, { id, signal })));
  for (const [index, { status, value, reason }] of results.entries()) {
    const { id } = made[index];
    if (status === 'fulfilled') seen[id] = String(value);
    else if (reason instanceof HeldError) held.push(id);
    else if (reason instanceof HaltError) return { modelCalls, seen, modelInput: '', held: [], state: null, output: reason.message };
    else seen[id] = `Error: ${reason.message}`;
  }
  if (held.length > 0) return { modelCalls, seen, modelInput: '', held, state: { seen, calls: resume?.calls ?? calls }, output: '' };
  modelCalls += 1;
  return { modelCalls, seen, modelInput: JSON.stringify(seen), held, state: null, output: answer };
}

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
