/** `hookline schema`: a schema for every format whose hooks are files. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

test('schema lists the formats, and prints the schema of one as JSON alone', async () => {
  const workspace = createWorkspace();
  const listed = await hookline(workspace, ['schema', '--json']);
  const { formats } = JSON.parse(listed.stdout) as { formats: readonly { readonly format: string }[] };
  expect(formats.length).toBeGreaterThan(10);
  for (const { format } of formats) {
    const { exit, stdout } = await hookline(workspace, ['schema', format]);
    expect([exit, JSON.parse(stdout).$schema]).toEqual([0, 'https://json-schema.org/draft/2020-12/schema']);
  }
});

test('a format that does not exist, or has no files, is named with the formats that have a schema', async () => {
  const workspace = createWorkspace();
  const near = await hookline(workspace, ['schema', 'codx']);
  expect([near.exit, near.stderr]).toEqual([64, expect.stringContaining('Did you mean `codex`?')]);
  const code = await hookline(workspace, ['schema', 'opencode']);
  expect([code.exit, code.stderr]).toEqual([64, expect.stringContaining('are code')]);
});
