/**
 * The guard as a hook: judges the tool that is about to be used, in this process. It is loaded when it is first asked. It answers with a
 * verdict, which the hook's event limits. If it cannot judge, that is a fault, and every fault of the guard denies if the event grants it.
 */

import { addUp, type GuardSettings, isPresetName, PRESET_NAMES } from '../core/contracts/guard-settings.ts';
import type { Call, Handler } from '../core/contracts/handler.ts';
import { type Fault, fault, type Reply } from '../core/decision/reply.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { EventJudgement } from '../guard/judge-event.ts';
import type { FindingMemory } from '../guard/memory/finding-memory.ts';
import type { BuiltinCommand } from './kit/builtin-commands.ts';
import { cancelled, threw } from './kit/deadline.ts';

export interface GuardHandlerContext {
  readonly settings: GuardSettings;
  readonly root: string;
  readonly home: string;
  /** Returns what a session wrote before. Absent: calls are judged one by one. */
  memoryOf?(session: string): FindingMemory;
  /** Returns whether the files of the settings are as they were read. Absent: they never change. */
  isCurrent?(): boolean;
  /** Judges events in another thread. Absent: all are judged in this one. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** Everything that an event is judged by, as data that another thread can be given. */
export interface GuardRules extends Required<GuardSettings> {
  readonly shownPacks: readonly string[];
  readonly root: string;
  readonly home: string;
}

/** Returns undefined, at once or later, for an event that is to be judged in this thread. */
export type Elsewhere = (rules: GuardRules, session: string, payload: JsonObject) => Promise<EventJudgement | undefined> | undefined;

/** The command line for this handler in every format whose hooks are commands. */
export const guardLine: BuiltinCommand = {
  words: ['hookline', 'guard'],
  type: 'guard',
  options: { preset: { key: 'preset' }, pack: { key: 'packs', many: true } },
  check: checkConfig,
};

export function guardHandler(context: () => Promise<GuardHandlerContext> = nothingSet): Handler {
  let ready: Judge | undefined;
  return {
    type: guardLine.type,
    inFiles: true,
    describe: () => ({ does: 'judge' }),
    strict: true,
    handle(call) {
      if (call.signal?.aborted) return cancelled();
      if (ready?.isCurrent()) return ready.judge(call);
      return load(context, ready?.memoryOf).then((loaded) => {
        ready = loaded;
        return loaded.judge(call);
      }, threw);
    },
  };
}

async function nothingSet(): Promise<GuardHandlerContext> {
  const { homedir } = await import('node:os');
  return { settings: {}, root: process.cwd(), home: homedir() };
}

interface Judge {
  judge(call: Call): Reply | Fault | Promise<Reply | Fault>;
  isCurrent(): boolean;
  readonly memoryOf: GuardHandlerContext['memoryOf'];
}

/** @param kept The memory so far, which outlives the settings. */
async function load(context: () => Promise<GuardHandlerContext>, kept: GuardHandlerContext['memoryOf']): Promise<Judge> {
  const [guard, { settings, root, home, isCurrent = () => true, elsewhere, ...rest }] = await Promise.all([
    import('../guard/judge-event.ts'),
    context(),
  ]);
  const memoryOf = kept ?? rest.memoryOf;
  const evidence = guard.evidenceIn(root, home);
  const shownPacks = evidence.packs.map(({ pack }) => pack);
  const rulesBy = new WeakMap<JsonObject, GuardRules | Fault>();
  const rulesFor = (config: JsonObject): GuardRules | Fault => {
    const known = rulesBy.get(config);
    if (known) return known;
    const made = makeRules(config);
    rulesBy.set(config, made);
    return made;
  };
  const makeRules = (config: JsonObject): GuardRules | Fault => {
    const problem = checkConfig(config) ?? guard.unknownPack([...(settings.packs ?? []), ...packsOf(config)]);
    if (problem !== undefined) return fault('unavailable', problem.replace(/\.$/, ''));
    // A hook of a project may be stricter than the user's settings, never more lenient.
    const sum = addUp(settings, { packs: packsOf(config), ...(isPresetName(config['preset']) && { preset: config['preset'] }) });
    return { ...sum, shownPacks, root, home };
  };
  const judge = (call: Call): Reply | Fault | Promise<Reply | Fault> => {
    try {
      const { event } = call;
      const rules = rulesFor(call.hook.handler.config);
      if ('fault' in rules) return rules;
      const payload = event
        ? { tool: event.data['tool'], input: event.data['input'], cwd: event.session.cwd, event: event.kind }
        : call.payload;
      const here = (): Reply => {
        const memory = event && memoryOf?.(event.session.id);
        return { kind: 'verdict', ...guard.judgeEvent(payload, memory ? { ...rules, memory } : rules) };
      };
      const there = event && elsewhere?.(rules, event.session.id, payload);
      return there ? there.then((judged) => (judged ? { kind: 'verdict' as const, ...judged } : here())).catch(threw) : here();
    } catch (error) {
      return threw(error);
    }
  };
  return { judge, isCurrent: () => isCurrent() && evidence.isCurrent(), memoryOf };
}

/** Returns a function that judges a command as if an agent ran it. It returns why the command is denied; undefined if it may run. */
export function commandJudge(context: () => Promise<GuardHandlerContext>): (command: string, cwd: string) => Promise<string | undefined> {
  return async (command, cwd) => {
    const [guard, { settings, root, home }] = await Promise.all([import('../guard/judge-event.ts'), context()]);
    const { verdict } = guard.judgeEvent({ tool: 'Bash', input: { command }, cwd, event: 'tool.before' }, { ...settings, root, home });
    const { decision } = verdict;
    if (decision.kind === 'pass' || decision.kind === 'allow') return undefined;
    return decision.kind === 'deny' ? decision.reason : `A person would have to approve it: ${decision.reason}`;
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
