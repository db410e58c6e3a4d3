/** Codex itself reads its hook files as the table tells, and prints what the table tells. */
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codex } from './codex.ts';
import { READINGS } from './codex-reading.ts';
import { runSession } from './session.ts';

/** Lines that it prints about any file. */
const USUAL = /bypass-hook-trust|Model metadata/;

test.each(READINGS)('$file: $name', async ({ file, text, ran, prints, refusesToStart }) => {
  const agent = codex({ model: 'plain' });
  const session = await runSession(agent, [agent.shell('touch tool')], {
    alone: true,
    before({ at, write }) {
      if (file === 'hooks.json') write({ '~/.codex/hooks.json': text });
      else appendFileSync(at('~/.codex/config.toml'), `\n${text}`);
    },
  });
  expect(
    ['good', 'other'].filter((name) => session.has(name)),
    session.output,
  ).toEqual(ran);
  expect([session.exit === 0, session.has('tool')]).toEqual(refusesToStart ? [false, false] : [true, true]);
  const printed = session.output.split('\n').filter((line) => /^(?:warning:|error:|Error)/.test(line) && !USUAL.test(line));
  if (prints === null) expect(printed).toEqual([]);
  else expect(session.output).toContain(prints);
});
