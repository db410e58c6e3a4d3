/** Reads the settings of judges, which the user's settings and the machine's policy have. A project has no settings, so it chooses no model. */
import { flawOfJudge, type JudgeBudget, type JudgePrices, type JudgeSettings } from '../../core/contracts/judge-settings.ts';
import type { Entry } from '../../core/values/document.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { readCount, readMap, readString, wrongType } from './values.ts';

function readAmount(entry: Entry, problems: Problems): number | undefined {
  const { value } = entry;
  if (value.kind === 'scalar' && typeof value.value === 'number' && Number.isFinite(value.value) && value.value >= 0) return value.value;
  wrongType(entry, 'a number of at least 0', problems);
  return undefined;
}

const readAll = readMap<JudgeSettings>({
  model: readModel,
  maxTokens: readCount,
  maxEventBytes: readCount,
  maxSteps: readCount,
  budget: readMap<JudgeBudget>({ tokens: readCount, money: readAmount }),
  prices: readMap<JudgePrices>({ input: readAmount, output: readAmount }),
});

function readModel(entry: Entry, problems: Problems): string | undefined {
  const name = readString(entry, problems);
  if (name === undefined || /^[^:\s]+:\S/.test(name)) return name;
  problems.report('warning', 'bad-judge', entry.value.at, `\`${name}\` does not name a model.`, 'Write `provider:model`.');
  return undefined;
}

/** Reports settings that cannot be used as a whole. They are kept: a judge without a usable budget answers with a fault, and never without one. */
export function readJudge(entry: Entry, problems: Problems): JudgeSettings | undefined {
  const judge = readAll(entry, problems);
  if (judge === undefined || entry.value.kind !== 'map') return undefined;
  const flaw = judge.model === undefined ? '`judge` has no usable `model`' : flawOfJudge(judge);
  if (flaw !== undefined)
    problems.report('warning', 'bad-judge', entry.value.at, `The settings of judges cannot be used: ${flaw}.`, 'See docs/judges.md.');
  return judge;
}
