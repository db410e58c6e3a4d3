/** A call that runs later runs its hook only if the hook is still what somebody vouched for. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { COMMAND } from '../../../src/handlers/kit/describe.ts';
import { hookDigest } from '../../../src/trust/hook-digest.ts';
import { isStillTrusted } from '../../../src/trust/still-trusted.ts';

let root: string;
let script: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'still-')));
  script = join(root, 'run.sh');
  writeFileSync(script, 'exit 0\n', { mode: 0o755 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hook = (command = './run.sh'): Hook => ({
  id: 'i',
  name: 'gate',
  dialect: 'd',
  event: 'e',
  when: [],
  handler: { type: 'command', config: { command } },
  timeoutMs: 1000,
  priority: 0,
  detach: true,
  enabled: true,
  source: { file: join(root, 'HOOK.md'), line: 1, scope: 'project' },
  folder: root,
  cwd: root,
});

const vouched = () => ({ digest: hookDigest(hook(), [script], root), root });

test('a hook that is what it was may run, and one whose script or definition has changed may not', async () => {
  const call = { hook: hook(), cwd: root, vouched: vouched() };
  expect(await isStillTrusted(call, COMMAND)).toBe(true);
  expect(await isStillTrusted({ ...call, hook: hook('./run.sh now') }, COMMAND)).toBe(false);
  writeFileSync(script, 'exit 1\n');
  expect(await isStillTrusted(call, COMMAND)).toBe(false);
});

test('the handler of the hook tells what is run, and trust counts in its own project', async () => {
  const call = { hook: hook(), cwd: root, vouched: vouched() };
  const asked: unknown[] = [];
  const noting: Pick<typeof COMMAND, 'describe'> = {
    describe(config) {
      asked.push(config);
      return COMMAND.describe(config);
    },
  };
  expect(await isStillTrusted(call, noting)).toBe(true);
  expect(asked).toContainEqual({ command: './run.sh' });
  const silent = { describe: () => ({ does: 'answer' }) };
  expect(await isStillTrusted(call, silent as never)).toBe(false);
});

test('a call that nobody vouched for is not bound to bytes', async () => {
  writeFileSync(script, 'exit 1\n');
  expect(await isStillTrusted({ hook: hook(), cwd: root }, COMMAND)).toBe(true);
});
