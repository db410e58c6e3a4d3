/** Opens the judge of an engine when the first hook needs it: its settings, its model, its budget and its cache. */
import path from 'node:path';
import { DIALECTS } from '../builtins.ts';
import type { Handler } from '../core/contracts/handler.ts';
import type { Hook } from '../core/contracts/hook.ts';
import { JUDGE } from '../core/contracts/judge.ts';
import type { JudgeSettings } from '../core/contracts/judge-settings.ts';
import { isGating } from '../core/meaning/profile.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Environment } from '../core/values/environment.ts';
import { NAMELESS_SESSION } from '../engine/receive/events.ts';
import { flawOfJudged, type Model } from '../handlers/model.ts';
import type { OpenJudging } from '../judges/judging.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';

export interface JudgingPlaces {
  readonly places: Pick<ResolvedPlaces, 'root' | 'home' | 'configFolder' | 'stateFolder'>;
  /** The home that the caller named; undefined: as the environment says. */
  readonly home: string | undefined;
  readonly environment: Environment;
  /** The policy file to use if this machine has none. */
  readonly policy: string | undefined;
  readonly dialects: readonly string[];
  /** The user's settings. The policy of the machine replaces them. */
  readonly judge: JudgeSettings | undefined;
}

/** Returns a function that opens the judge once. Nothing of it is loaded before. */
export function lazyJudging(parts: JudgingPlaces): () => Promise<OpenJudging> {
  let opening: Promise<OpenJudging> | undefined;
  return () => {
    opening ??= openJudging(parts);
    return opening;
  };
}

async function openJudging({ places, home, environment, policy, dialects, judge }: JudgingPlaces): Promise<OpenJudging> {
  const { createJudging } = await import('../judges/judging.ts');
  const { openJudgeSpending } = await import('../stores/judge-spending.ts');
  const { openVerdictFiles } = await import('../stores/verdict-files.ts');
  return createJudging({
    ...{ root: places.root, home: places.home, settingsFile: path.join(places.configFolder, 'hookline', 'settings.json') },
    spending: openJudgeSpending({ stateFolder: places.stateFolder, nameless: NAMELESS_SESSION }),
    verdicts: openVerdictFiles(places.stateFolder),
    async settings() {
      const { readPolicy } = await import('../load/settings/policy.ts');
      return (await readPolicy(policy, dialects)).policy.judge ?? judge;
    },
    async openModel(name) {
      const { openModel } = await import('../runtime/models/open-model.ts');
      return openModel(name, { home, env: environment });
    },
  });
}

/** The name of a model that the program gives, of which only the program knows more. */
const MODEL_OF_PROGRAM = "the program's own model";

export interface Judges {
  /** The model that answers a hook; nothing if it is no hook for a model. */
  of(hook: Hook): { readonly judgedBy?: string | null };
  /** Returns the problem of a hook that runs and that no model can answer. */
  problemOf(hook: Hook): readonly Diagnostic[];
}

/** Finds out which hooks a model answers, and which model. Nothing is loaded if there is no such hook. */
export async function judgesOf(
  hooks: readonly Hook[],
  handlers: ReadonlyMap<string, Pick<Handler, 'judges'>>,
  model: Model | undefined,
  judging: () => Promise<OpenJudging>,
): Promise<Judges> {
  const isJudged = (hook: Hook): boolean => !hook.run && handlers.get(hook.handler.type)?.judges === true;
  if (!hooks.some(isJudged)) return { of: () => ({}), problemOf: () => [] };
  const isOwn = model !== undefined && !(JUDGE in model);
  const ready = isOwn ? { model: MODEL_OF_PROGRAM } : await (await judging()).readiness(model);
  const problemIn = (hook: Hook): string | undefined => ('problem' in ready ? ready.problem : isOwn ? undefined : flawOfJudged(hook));
  return {
    of: (hook) => (isJudged(hook) ? { judgedBy: problemIn(hook) === undefined && 'model' in ready ? ready.model : null } : {}),
    problemOf(hook) {
      const problem = isJudged(hook) ? problemIn(hook) : undefined;
      return problem === undefined ? [] : [noJudge(hook, problem)];
    },
  };
}

/** A gate without a judge is a protection that is not in force. */
function noJudge({ name, dialect, event, source: { file, line } }: Hook, problem: string): Diagnostic {
  const rule = DIALECTS.find(({ id }) => id === dialect)?.profile.events[event];
  const severity = rule && isGating(rule) ? 'error' : 'warning';
  const message = `A model must answer hook \`${name}\`, but none can: ${problem.replace(/\.$/, '')}.`;
  const hint = 'Set a model as docs/judges.md says, or remove the hook.';
  return { severity, code: 'no-judge', file, ...(line !== undefined && { line }), message, hint };
}
