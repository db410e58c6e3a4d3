/** The tour and the complete agent of `examples/` run as they are: no terminal, no key, and they end by themselves and leave nothing behind. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';

async function run(file: string): Promise<{ exit: number | null; out: string; left: string[] }> {
  const workspace = createWorkspace();
  const folder = workspace.at('tmp');
  mkdirSync(folder);
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: workspace.home, HOOKLINE_HOME: workspace.home, TMPDIR: folder };
  const child = spawn(process.execPath, [path.resolve(file)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exit, out, left: readdirSync(folder).filter((name) => name.startsWith('hookline-')) };
}

test('the tour is an agent behind hooks of five formats, and every boundary of a turn is live', async () => {
  const { exit, out, left } = await run('examples/tour/start.mjs');
  expect([exit, left]).toEqual([0, []]);
  expect(out).toContain('five formats: skillkit, claude-agent, agenthooks, hooktoml, arawn');
  expect(out).toContain('denied it: Destructive command blocked by policy');
  expect(out).toContain('result   added 1 package: npm install --ignore-scripts left-pad');
  expect(out).toMatch(/✗ guard .* denied it: Denied by the guard/);
  expect(out).toMatch(
    /Held until a person approves[\s\S]*Ann approves ticket[\s\S]*Allowed: Approved by ann: go ahead\n.*result +Deployed to production\./,
  );
  expect(out).toMatch(
    /The agent continues working: Run the tests before you stop\.[\s\S]*1 test passed[\s\S]*The one hook that was asked has no objection\./,
  );
  const [, kinds = ''] = /each asked the hooks:\n {2}(.*)\n/.exec(out) ?? [];
  expect(kinds.split(', ')).toEqual(
    expect.arrayContaining([
      'gateway.start',
      'prompt.submit',
      'model.resolve',
      'llm.before',
      'tool.after',
      'skill.after',
      'message.sent',
      'session.end',
    ]),
  );
  expect(out).not.toContain('The tour does not run this command.');
});

test('the complete agent has about 40 lines and hooks in three formats, and each of them acts', async () => {
  expect(readFileSync('examples/agent/agent.mjs', 'utf8').split('\n').length).toBeLessThan(50);
  const { exit, out, left } = await run('examples/agent/agent.mjs');
  expect([exit, left]).toEqual([0, []]);
  expect(out.split('\n')).toEqual([
    'tool.before denied: Secrets stay where they are.',
    'The secret stays a secret. Version 2 ships on Monday.',
    'a turn ended',
    '',
  ]);
});
