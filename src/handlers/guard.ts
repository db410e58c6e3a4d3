/**
 * The guard as a hook: judges the tool that is about to be used, in this process. It is loaded when it is first asked. It answers with a
 * verdict, which the hook's event limits. If it cannot judge, that is a fault, and every fault of the guard denies if the event grants it.
 */

import { addUp, type GuardSettings, isPresetName, PRESET_NAMES } from '../core/contracts/guard-settings.ts';
import type { Call, Handler } from '../core/contracts/handler.ts';
import { type Fault, fault, type Reply } from '../core/decision/reply.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { BuiltinCommand } from './kit/builtin-commands.ts';
import { cancelled, threw } from './kit/deadline.ts';

export interface GuardHandlerContext {
  readonly settings: GuardSettings;
  readonly root: string;
  readonly home: string;
}

/** The command line for this handler in every format whose hooks are commands. */
export const guardLine: BuiltinCommand = {
  words: ['hookline', 'guard'],
  type: 'guard',
  options: { preset: { key: 'preset' }, pack: { key: 'packs', many: true } },
  check: checkConfig,
};

export function guardHandler(context: () => Promise<GuardHandlerContext> = nothingSet): Handler {
  let ready: ((call: Call) => Reply | Fault) | undefined;
  return {
    type: guardLine.type,
    inFiles: true,
    describe: () => ({ does: 'judge' }),
    strict: true,
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      if (ready) return ready(call);
      return load(context).then((judge) => {
        ready = judge;
        return judge(call);
      }, threw);
    },
  };
}

async function nothingSet(): Promise<GuardHandlerContext> {
  const { homedir } = await import('node:os');
  return { settings: {}, root: process.cwd(), home: homedir() };
}

async function load(context: () => Promise<GuardHandlerContext>): Promise<(call: Call) => Reply | Fault> {
  const [guard, { settings, root, home }] = await Promise.all([import('../guard/judge-event.ts'), context()]);
  return (call) => {
    try {
      const { config } = call.hook.handler;
      const problem = checkConfig(config) ?? guard.unknownPack([...(settings.packs ?? []), ...packsOf(config)]);
      if (problem !== undefined) return fault('unavailable', problem.replace(/\.$/, ''));
      // A hook of a project may be stricter than the user's settings, never more lenient.
      const rules = addUp(settings, { packs: packsOf(config), ...(isPresetName(config['preset']) && { preset: config['preset'] }) });
      const { event } = call;
      const body = event
        ? { tool: event.data['tool'], input: event.data['input'], cwd: event.session.cwd, event: event.kind }
        : call.payload;
      return { kind: 'verdict', ...guard.judgeEvent(body, { ...rules, root, home }) };
    } catch (error) {
      return threw(error);
    }
  };
}

function packsOf({ packs }: JsonObject): readonly string[] {
  return Array.isArray(packs) ? packs.map(String) : typeof packs === 'string' ? [packs] : [];
}

function checkConfig({ preset, packs, ...rest }: JsonObject): string | undefined {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `The guard has no setting \`${unknown}\`; it knows \`preset\` and \`packs\`.`;
  if (preset !== undefined && !isPresetName(preset))
    return `The guard has no preset ${JSON.stringify(preset)}; known: ${PRESET_NAMES.join(', ')}.`;
  const texts =
    packs === undefined || typeof packs === 'string' || (Array.isArray(packs) && packs.every((pack) => typeof pack === 'string'));
  return texts ? undefined : 'The `packs` of the guard must be a list of names.';
}
