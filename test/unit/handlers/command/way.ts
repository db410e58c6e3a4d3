/** Who starts the hooks of a test file: this process, or the launcher. The laws are the same. */
import { afterAll, expect } from 'vitest';
import type { Handler } from '../../../../src/core/contracts/handler.ts';
import { createCommandHandler } from '../../../../src/handlers/command/index.ts';
import { createLauncher } from '../../../../src/handlers/command/launcher.ts';
import type { Starter } from '../../../../src/handlers/command/run-process.ts';
import { until } from '../../../support/patience.ts';

let launcher: Starter = { run: () => undefined, close() {} };

export function handler(): Handler {
  return createCommandHandler({ helped: 'never', launcher });
}

/** From here on, and to the end of the file. Fails if a hook was started otherwise, unless its command has a byte that no process can be given. */
export async function byLauncher(): Promise<void> {
  const real = await readyLauncher();
  let launched = 0;
  const others: string[] = [];
  launcher = {
    run(spec, patience) {
      const answer = real.run(spec, patience);
      if (answer) launched++;
      else if (!spec.launch.args.some((word) => word.includes('\0'))) others.push(spec.launch.args.join(' '));
      return answer;
    },
    close: () => real.close(),
  };
  afterAll(() => {
    real.close();
    expect(others).toEqual([]);
    expect(launched).toBeGreaterThan(0);
  });
}

/** A launcher that takes hooks, and has none at the moment. */
export async function readyLauncher(perl?: string): Promise<Starter> {
  const made = createLauncher({ after: 0, ...(perl !== undefined && { perl }) });
  const launch = { file: '/bin/true', args: [] };
  const spec = { launch, cwd: '/', env: {}, stdin: undefined, capture: 'split', outputBytes: 10 } as const;
  let first: ReturnType<Starter['run']>;
  await until(() => {
    first = made.run(spec, { timeoutMs: 10_000, signal: undefined });
    return first !== undefined;
  });
  await first;
  return made;
}
