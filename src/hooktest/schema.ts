/** The JSON Schema of a file of tests, for editors. */
import { DIALECTS, HOSTS } from '../builtins.ts';
import { EVENT_KINDS } from '../core/event/event.ts';
import type { JsonObject } from '../core/values/json.ts';
import { DECISIONS, FAULT_KINDS } from './read-test.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const object = (description: string, properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  ...{ type: 'object', description, properties, required, additionalProperties: false },
});
const texts = (description: string, values?: readonly string[]): JsonObject => {
  const one: JsonObject = { type: 'string', ...(values && { enum: values }) };
  return { description, anyOf: [one, { type: 'array', items: one }] };
};
const aMap = (description: string): JsonObject => ({ type: 'object', description });
const aMapOfTexts = (description: string): JsonObject => ({ type: 'object', description, additionalProperties: { type: 'string' } });
const decision = (description: string): JsonObject => ({ enum: DECISIONS, description });

export function schema(): JsonObject {
  const hosts = texts(
    'The agents that the events come from. Each case runs once as each of them.',
    HOSTS.map(({ id }) => id),
  );
  const answer = object('The answer that this agent receives.', {
    exit: { type: 'number', minimum: 0, description: 'The exit code.' },
    stdout: { description: 'JSON that must be equal, or a text that stdout must contain. An empty text: nothing is printed.' },
    stderr: text('A text or a pattern, `/…/i`, that stderr must contain.'),
    decision: decision('The decision as the agent reads the answer.'),
  });
  const expect = object('The result that the event must have.', {
    decision: decision('The decision of the hooks together.'),
    reason: text('A text or a pattern, `/…/i`, that the reason must contain.'),
    rewrite: { description: 'The new input, exactly. Null: it is not rewritten.' },
    replace: { description: 'The new result, exactly. Null: it is not replaced.' },
    context: texts('Texts or patterns that the context for the agent must contain. An empty list: there is none.'),
    faults: texts('The faults that hooks must have. A fault that is not listed fails the case.', FAULT_KINDS),
    withinMs: { type: 'number', minimum: 0, description: 'The most milliseconds.' },
    clean: { type: 'boolean', description: 'No process is left, and nothing was written in the project or the home.' },
    answers: {
      type: 'object',
      description: 'The answers by agent.',
      properties: Object.fromEntries(HOSTS.map(({ id }) => [id, answer])),
      additionalProperties: false,
    },
  });
  const aCase = object(
    'An event, and what must come of it.',
    {
      name: text('A sentence that says what holds.'),
      event: { type: 'string', description: 'A kind of event, or with `as` an event of this dialect.', examples: EVENT_KINDS },
      as: { enum: DIALECTS.map(({ id }) => id), description: 'The dialect whose format the event has.' },
      tool: text('The tool of a tool event.'),
      input: aMap('The input of the tool.'),
      payload: aMap('The payload of the event, in the same format as `event`.'),
      session: text('The session. Default: `hooktest`.'),
      hosts,
      files: aMapOfTexts('Files of a working folder that is made for this case, by their paths.'),
      env: aMapOfTexts('Variables for the hook.'),
      expect: { ...expect, minProperties: 1 },
    },
    ['event', 'expect'],
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tests of hooks (*.hooktest.yaml)',
    ...object(
      'Tests of the hooks next to the file.',
      {
        hook: texts('The names of the hooks that are tested; `*` for all. Default: those next to the file.'),
        hosts,
        cases: { type: 'array', description: 'The cases, in order.', minItems: 1, items: aCase },
      },
      ['cases'],
    ),
  };
}
