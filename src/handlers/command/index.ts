/** Hooks that are commands: a shell line or a script is run with the payload on stdin or in a variable; exit code and output come back. */
import type { Environment } from '../../core/environment.ts';
import type { Call, Handler } from '../../core/handler.ts';
import { tooDeep } from '../../core/nesting.ts';
import { type Fault, fault, isFault, type Reply } from '../../core/reply.ts';
import { cancelled } from '../deadline.ts';
import { encodePayload } from '../payload.ts';
import { environmentOf } from './environment.ts';
import { type Launch, launchOf } from './launch.ts';
import { fitsEnvironment, jsonWriter } from './payload.ts';
import { runProcess } from './run-process.ts';

export const commandHandler: Handler = {
  type: 'command',
  handle(call) {
    if (call.signal?.aborted) return cancelled();
    const deep = tooDeep(call.nesting);
    if (deep) return deep;
    const launch = launchOf(call.hook.handler.config);
    if ('fault' in launch) return launch;
    const { input, json } = call.ask.command;
    const text = encodePayload(call.payload, call.limits.payloadBytes, jsonWriter(json));
    if (typeof text !== 'string') return text;
    return input === 'stdin' ? run(call, launch, {}, text) : runWithVariable(call, launch, input.env, text);
  },
};

function run(call: Call, launch: Launch, variables: Environment, stdin: string | undefined): Promise<Reply | Fault> {
  const env = environmentOf(call, variables);
  const { cwd, limits } = call;
  return runProcess({ launch, cwd, env, stdin, capture: call.ask.command.capture, outputBytes: limits.outputBytes }, call);
}

/**
 * A payload that does not fit is left out whole, and the answer says that the hook has not seen it: only a deny in it counts, and
 * nothing else that goes wrong may hide it.
 */
async function runWithVariable(call: Call, launch: Launch, name: string, text: string): Promise<Reply | Fault> {
  if (fitsEnvironment(name, text)) {
    const answer = await run(call, launch, { [name]: text }, undefined);
    if (!isFault(answer) || answer.fault !== 'oversize') return answer;
  }
  const detail = `the payload has ${Buffer.byteLength(text)} bytes and does not fit the environment variable ${name}`;
  const answer = await run(call, launch, { [name]: undefined }, undefined);
  if (!isFault(answer)) return fault('oversize', detail, { reply: answer });
  return answer.fault === 'cancelled' ? answer : fault('oversize', `${detail}; run without it, it ${answer.detail}`);
}
