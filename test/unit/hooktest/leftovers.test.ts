import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { endProcesses } from '../../../src/hooktest/leftovers.ts';

test.runIf(process.platform === 'linux')('a process that starts a program at the moment of the look is found too', async () => {
  const found = [];
  for (let i = 0; i < 100; i++) {
    const mark = `/scratch-${process.pid}-${i}-`;
    spawnSync('sh', ['-c', 'setsid sleep 60 > /dev/null 2>&1 &'], { env: { ...process.env, MARK: mark } });
    // The first look is at once. The waits of all rounds pass together.
    found.push(endProcesses(mark));
  }
  expect((await Promise.all(found)).filter((left) => left?.length !== 1)).toEqual([]);
});
