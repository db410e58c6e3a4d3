/** Answers the questions of an engine's `prompt` and `agent` hooks, with the judge of the program or with the model of the settings. */
import type { JudgeQuestion, Judging } from '../core/contracts/judge.ts';
import type { Spending, Verdicts } from '../core/contracts/judge-memory.ts';
import { flawOfJudge, type JudgeSettings, judgeLimits } from '../core/contracts/judge-settings.ts';
import { type Fault, fault, type Reply } from '../core/decision/reply.ts';
import { askJudge, type Judge } from './judge.ts';
import { judgeIn } from './judge-with.ts';
import { type JudgeModel, modelFault } from './language-model.ts';
import { projectFolder } from './tools/inside.ts';

export interface JudgingParts {
  readonly root: string;
  readonly home: string;
  /** The file in which a person sets the model. */
  readonly settingsFile: string;
  readonly spending: Spending;
  readonly verdicts: Verdicts;
  /** Reads the settings of the machine's policy, or else the user's. */
  settings(): Promise<JudgeSettings | undefined>;
  /** Opens a model by its name. Rejects with the line that installs or sets what is missing. */
  openModel(name: string): Promise<JudgeModel>;
}

/** Whether the hooks that a model answers have one. */
export type Readiness = { readonly model: string } | { readonly problem: string };

export interface OpenJudging extends Judging {
  /** Finds out whether a model can be opened. Sends nothing. */
  readiness(model: unknown): Promise<Readiness>;
}

export function createJudging(parts: JudgingParts): OpenJudging {
  let opening: Promise<Judge | Fault> | undefined;
  const configured = (): Promise<Judge | Fault> => {
    opening ??= judgeOf(parts);
    return opening;
  };
  const context = { ...parts, project: projectFolder(parts.root, parts.home) };
  return {
    async ask(question: JudgeQuestion, model: unknown): Promise<Reply | Fault> {
      const judge = judgeIn(model) ?? (await configured());
      return 'kind' in judge ? judge : askJudge(judge, question, context);
    },
    async readiness(model) {
      const judge = judgeIn(model) ?? (await configured());
      if ('kind' in judge) return { problem: judge.detail };
      try {
        await judge.open();
        return { model: judge.id };
      } catch (error) {
        return { problem: modelFault(error).detail };
      }
    },
  };
}

async function judgeOf({ settings, openModel, settingsFile }: JudgingParts): Promise<Judge | Fault> {
  const found = await settings();
  if (found?.model === undefined)
    return fault(
      'unavailable',
      `no model is configured for it. Set \`judge.model\` in ${settingsFile}, or give createHookline a \`model\``,
    );
  const flaw = flawOfJudge(found);
  if (flaw !== undefined) return fault('unavailable', `the settings of judges cannot be used: ${flaw}`);
  let opened: Promise<JudgeModel> | undefined;
  const open = (): Promise<JudgeModel> => {
    // A model that could not be opened is tried again, because a key or a package may be there the next time.
    opened ??= openModel(found.model).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return { id: found.model, limits: judgeLimits(found), open };
}
