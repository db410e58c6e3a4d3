/** The route for a question: who would be asked about this, and how would the guard read it? It plans and runs nothing. */
import type { PlanAnswer, WhatIfRequest } from '../api.ts';
import type { PlanWish } from '../parts.ts';
import { Refusal, type Route, route } from '../route.ts';
import { exactly, ref, TEXT } from '../schema.ts';

export const WHAT_IF_ROUTES: readonly Route[] = [
  route<unknown, WhatIfRequest>({
    method: 'POST',
    path: '/what-if',
    says: 'The hooks that would be asked about an event, a command or the call of a tool, and how the guard reads it. Runs nothing.',
    body: exactly(
      {
        event: { type: 'object', description: 'An event, or the payload of an agent as it is.' },
        ...{ command: TEXT, tool: TEXT, input: { type: 'object' }, root: { ...TEXT, maxLength: 4000 } },
      },
      ['event', 'command', 'tool', 'input', 'root'],
    ),
    answer: ref('Plan'),
    handle: ({ body }, { plan }): Promise<PlanAnswer> => plan(wishOf(body)),
  }),
];

function wishOf({ event, command, tool, input, root }: WhatIfRequest): PlanWish {
  const given = [event, command, tool].filter((one) => one !== undefined);
  if (given.length !== 1 || (input !== undefined && tool === undefined))
    throw new Refusal(
      400,
      'The body must have one of `event`, `command` and `tool`.',
      'Send `{ "command": "rm -rf build" }`, for example.',
    );
  const where = root === undefined ? {} : { root };
  if (event) return { event, ...where };
  return command !== undefined ? { command, ...where } : { tool: tool as string, input: input ?? {}, ...where };
}
