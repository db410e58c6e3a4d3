import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HandlerContract, VALUES } from '../../support/handler-contract.ts';
import { livingOf } from '../../support/processes.ts';

let folder: string | undefined;

const hook = (run: string): string =>
  `import { defineHook } from 'hookline/hook';\nexport default defineHook({ on: 'tool.before', ${run} });\n`;
/** A worker with a child that ignores TERM: the whole group must end. */
const hanging = (pids: string): string => `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
${hook(`run() {
  const { pid } = spawn('sh', ['-c', 'trap "" TERM; sleep 300'], { stdio: 'ignore' });
  appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n' + pid + '\\n');
  for (;;);
}`)}`;

export const contract: HandlerContract = {
  scenes() {
    const made = mkdtempSync(path.join(tmpdir(), 'hookline worker-'));
    folder = made;
    const program = (name: string, text: string) => {
      writeFileSync(path.join(made, name), text);
      return { handler: { type: 'worker', config: { script: path.join(made, name) } } };
    };
    const pids = path.join(made, 'pids');
    return {
      answers: program('answers.ts', hook("run: (): object => ({ decision: 'deny', reason: 'no' })")),
      hangs: program('hangs.ts', hanging(pids)),
      broken: [
        { handler: { type: 'worker', config: {} } },
        { handler: { type: 'worker', config: { script: '/nonexistent/hook.ts' } } },
        { handler: { type: 'worker', config: { script: made } } },
        program('syntax.ts', 'export default defineHook({'),
        program('enum.ts', `enum A { b }\n${hook('run() {}')}`),
        program('import.ts', `import './missing.ts';\n${hook('run() {}')}`),
        program('throws.ts', hook("run() { throw new Error('x'); }")),
        program('exits.ts', hook('run() { process.exit(0); }')),
        program('killed.ts', hook("run() { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); }")),
        program('map.ts', hook('run: () => new Map()')),
        program('silent.sh', '# hookline: { on: tool.before }\nexit 0\n'),
        program('noise.sh', '# hookline: { on: tool.before }\necho noise >&3\nsleep 300\n'),
      ],
      left: () => livingOf(pids),
    };
  },
  skip: { floods: VALUES },
  close() {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  },
};
