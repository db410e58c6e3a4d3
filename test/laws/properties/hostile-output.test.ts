/** Whatever a command prints and however it exits: one of five decisions, and never a pass where the hook system says deny. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

const DECISIONS = ['pass', 'allow', 'ask', 'hold', 'deny'];

/** When a tool call must be denied, in the words of each hook system; written down here a second time, on purpose. */
const MUST_DENY: Readonly<Record<string, (exit: number, said: unknown) => boolean>> = {
  skillkit: (exit) => exit === 2,
  'claude-agent': (exit, said) => exit !== 0 || field(said, 'continue_execution') === false,
  agenthooks: (exit, said) => exit === 2 || (exit === 0 && field(said, 'decision') === 'deny'),
  hooktoml: (exit) => exit !== 0,
  arawn: (exit) => ![0, 126, 127].includes(exit),
};

const exitCode = fc.oneof(fc.constantFrom(0, 1, 2, 126, 127), fc.integer({ min: 0, max: 255 }));
const answer = fc.record(
  {
    decision: fc.oneof(fc.constantFrom('allow', 'deny', 'ask', 'block'), fc.jsonValue()),
    continue_execution: fc.oneof(fc.boolean(), fc.jsonValue()),
    reason: fc.oneof(fc.string(), fc.jsonValue()),
    stop_reason: fc.oneof(fc.string(), fc.jsonValue()),
    modified_input: fc.jsonValue(),
    updated_input: fc.jsonValue(),
    additional_context: fc.oneof(fc.string(), fc.jsonValue()),
    system_message: fc.oneof(fc.string(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const output = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  answer.map((value) => Buffer.from(JSON.stringify(value))),
  fc.json().map((value) => Buffer.from(value)),
);

test.each(Object.keys(MUST_DENY))('%s', async (dialect) => {
  const workspace = createWorkspace();
  const command = `cat '${workspace.at('out')}'; cat '${workspace.at('err')}' >&2; exit "$(cat '${workspace.at('code')}')"`;
  workspace.write(NATIVE[dialect]?.({ event: TOOL_EVENTS[dialect]?.before ?? '', command }) ?? {});
  const hookline = await workspace.open({ only: [dialect] });
  await fc.assert(
    fc.asyncProperty(exitCode, output, fc.uint8Array({ maxLength: 50 }), async (exit, out, err) => {
      workspace.write({ out, err, code: String(exit) });
      const { decision, reason, hooks } = await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
      expect(DECISIONS).toContain(decision);
      expect(hooks).toMatchObject([{ exit }]);
      if (MUST_DENY[dialect]?.(exit, parsed(out))) expect(decision).toBe('deny');
      if (decision === 'deny') expect(reason?.trim()).toBeTruthy();
    }),
    { numRuns: 60 },
  );
});

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
