/** Fires events at the hook system in the core of Gemini CLI and prints what it made of them. Arguments: where the core is installed, and what to fire. */
import { openCore } from './core.mjs';

const [installed = '', calls = '[]'] = process.argv.slice(2);
const { config } = await openCore(installed);
const hooks = config.getHookSystem();
const results = [];
for (const [method, ...args] of JSON.parse(calls)) {
  const result = await hooks[method](...args);
  const output = result?.finalOutput ?? result;
  results.push({
    output: output ?? null,
    blocks: output?.isBlockingDecision?.() ?? output?.blocked ?? false,
    stops: output?.shouldStopExecution?.() ?? output?.stopped ?? false,
    input: output?.getModifiedToolInput?.() ?? null,
    context: output?.getAdditionalContext?.() ?? null,
    reason: output?.getEffectiveReason?.() ?? null,
  });
}
process.stdout.write(`\n${JSON.stringify(results)}\n`);
process.exit(0);
