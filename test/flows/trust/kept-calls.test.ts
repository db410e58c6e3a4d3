/** A call that is kept and run later, by another process, is checked again by whoever runs it. */
import { expect, test } from 'vitest';
import type { Call, Handler } from '../../../src/core/contracts/handler.ts';
import type { Reply } from '../../../src/core/decision/reply.ts';
import { COMMAND } from '../../../src/handlers/kit/describe.ts';
import { runIfTrusted } from '../../../src/trust/still-trusted.ts';
import { BASH, gate, trustedProject } from './trusted-project.ts';

const REPLY: Reply = { kind: 'process', exit: 0, stdout: '', stderr: '' };
const HANDLER = { ...COMMAND, handle: () => REPLY };

test('a kept call runs its hook as it was trusted, and not as it is once it was changed', async () => {
  const workspace = await trustedProject(gate('closed', 'gate', 'async: true\n'));
  const calls: Call[] = [];
  const background = { start: (call: Call, _: Handler) => void calls.push(call), drain: async () => [] };
  await (await workspace.open({ trust: 'ask', background })).fire('tool.before', BASH);
  // As data: this is how it crosses to the process that runs it.
  const [kept] = JSON.parse(JSON.stringify(calls)) as Call[];
  expect(kept?.vouched).toMatchObject({ root: workspace.root, digest: expect.stringMatching(/^sha256:/) });
  expect(await runIfTrusted(kept as Call, HANDLER)).toBe(REPLY);
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nexit 0\n' });
  expect(await runIfTrusted(kept as Call, HANDLER)).toBeUndefined();
});

test("a call of the user's own hook is not pinned to its bytes", async () => {
  const files = Object.entries(gate('closed', 'gate', 'async: true\n'));
  const workspace = await trustedProject(
    Object.fromEntries(files.map(([name, text]) => [name.replace('.agents', '~/.config/agents'), text])),
  );
  const calls: Call[] = [];
  const background = { start: (call: Call, _: Handler) => void calls.push(call), drain: async () => [] };
  await (await workspace.open({ trust: 'ask', background })).fire('tool.before', BASH);
  expect(calls).toHaveLength(1);
  expect(calls[0]).not.toHaveProperty('vouched');
  expect(await runIfTrusted(calls[0] as Call, HANDLER)).toBe(REPLY);
});
