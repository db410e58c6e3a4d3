/** A call that runs later runs its hook only if the hook is still what somebody vouched for. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../src/core/decision/reply.ts';
import { COMMAND } from '../../../src/handlers/kit/describe.ts';
import { hookDigest } from '../../../src/trust/hook-digest.ts';
import { runIfTrusted } from '../../../src/trust/still-trusted.ts';

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

const REPLY: Reply = { kind: 'process', exit: 0, stdout: '', stderr: '' };
/** @param during what happens while it runs */
const handler = (during: () => void = () => {}, describe: typeof COMMAND.describe = COMMAND.describe) => ({
  describe,
  handle(): Reply {
    during();
    return REPLY;
  },
});
const call = (more: Partial<Call> = {}): Call => ({
  hook: hook(),
  cwd: root,
  vouched: vouched(),
  payload: {},
  ask: {} as never,
  timeoutMs: 1000,
  limits: DEFAULT_LIMITS,
  permits: DEFAULT_PERMITS,
  nesting: {} as never,
  ...more,
});

test('a hook that is what it was runs, and one whose script or definition has changed does not', async () => {
  const kept = call();
  expect(await runIfTrusted(kept, handler())).toBe(REPLY);
  expect(await runIfTrusted({ ...kept, hook: hook('./run.sh now') }, handler())).toBeUndefined();
  writeFileSync(script, 'exit 1\n');
  expect(await runIfTrusted(kept, handler())).toBeUndefined();
});

test('a hook whose script changes while it runs is fault `changed`', async () => {
  expect(
    await runIfTrusted(
      call(),
      handler(() => writeFileSync(script, 'exit 1\n')),
    ),
  ).toMatchObject({
    fault: 'changed',
    exit: 0,
    detail: expect.stringContaining('`run.sh` was'),
  });
});

test('the handler of the hook tells what is run, and trust counts in its own project', async () => {
  const asked: unknown[] = [];
  const describe: typeof COMMAND.describe = (config) => {
    asked.push(config);
    return COMMAND.describe(config);
  };
  expect(await runIfTrusted(call(), handler(undefined, describe))).toBe(REPLY);
  expect(asked).toContainEqual({ command: './run.sh' });
  expect(
    await runIfTrusted(
      call(),
      handler(undefined, () => ({ does: 'reply' })),
    ),
  ).toBeUndefined();
});

test('a call that nobody vouched for is not bound to bytes', async () => {
  const { vouched: _, ...free } = call();
  expect(
    await runIfTrusted(
      free,
      handler(() => writeFileSync(script, 'exit 1\n')),
    ),
  ).toBe(REPLY);
});
