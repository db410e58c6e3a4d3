/** `hookline plan`: the choices of a firing, without the firing. */
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline } from '../../api/hookline.ts';
import type { EventKind } from '../../core/event.ts';
import type { EventPayloads } from '../../core/payloads.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { engineOptions } from '../engine-options.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonDocument } from '../output.ts';
import { renderPlan } from '../render/plan.ts';
import { terminalStyle } from '../render/style.ts';
import { type Request, readEvent, readRequest } from '../request.ts';

export { planSpec as spec } from '../specs/plan.ts';

export async function run(args: Arguments): Promise<Answer> {
  const request = await readRequest(args, readEvent(args));
  const hookline = await createHookline(engineOptions(args));
  const plan = { ...(await planOf(hookline, request)), diagnostics: hookline.diagnostics };
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument(plan) };
  return { exit: EXIT.ok, out: renderPlan(plan, request, hasFlag(args, 'all'), terminalStyle()) };
}

function planOf(hookline: Hookline, { kind, data, native, context }: Request): Promise<Plan> {
  // A payload from outside is only known to be an object.
  return native ? hookline.plan(native, context) : hookline.plan(kind, data as unknown as EventPayloads[EventKind], context);
}
