/** The settings of judges: the model that answers `prompt` and `agent` hooks, and how much it may read, write and cost. */

export interface JudgeOptions {
  /** The most tokens of one answer (default 1024). A longer answer is a fault. */
  readonly maxTokens?: number;
  /** The most bytes of an event (default 131072). A larger event is a fault, because a part of it could hide the rest. */
  readonly maxEventBytes?: number;
  /** How often the model of an `agent` hook may be asked for one verdict (default 8). */
  readonly maxSteps?: number;
  /** The most that one session may cost. The spent tokens are counted across processes. */
  readonly budget?: JudgeBudget;
  /** The prices of a million tokens, in the currency of `budget.money`. */
  readonly prices?: JudgePrices;
}

export interface JudgeBudget {
  /** Tokens that are read and written together (default 1000000). */
  readonly tokens?: number;
  /** Needs `prices`. */
  readonly money?: number;
}

export interface JudgePrices {
  readonly input: number;
  readonly output: number;
}

export interface JudgeSettings extends JudgeOptions {
  /** `provider:model`. */
  readonly model: string;
}

/** The options of a judge with their defaults. */
export interface JudgeLimits {
  readonly maxTokens: number;
  readonly maxEventBytes: number;
  readonly maxSteps: number;
  readonly budget: { readonly tokens: number; readonly money?: number };
  readonly prices?: JudgePrices;
}

export function judgeLimits({ maxTokens, maxEventBytes, maxSteps, budget, prices }: JudgeOptions): JudgeLimits {
  return {
    maxTokens: maxTokens ?? 1024,
    maxEventBytes: maxEventBytes ?? 128 * 1024,
    maxSteps: maxSteps ?? 8,
    budget: { tokens: budget?.tokens ?? 1_000_000, ...(budget?.money !== undefined && { money: budget.money }) },
    ...(prices && { prices }),
  };
}

/** Returns what is wrong with the options; undefined if nothing is. */
export function flawOfJudge(options: JudgeOptions): string | undefined {
  const { maxTokens, maxEventBytes, maxSteps, budget, prices } = options;
  const counts = { maxTokens, maxEventBytes, maxSteps, 'budget.tokens': budget?.tokens };
  for (const [key, value] of Object.entries(counts))
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) return `\`${key}\` must be a whole number above 0`;
  const amounts = { 'budget.money': budget?.money, 'prices.input': prices?.input, 'prices.output': prices?.output };
  for (const [key, value] of Object.entries(amounts))
    if (value !== undefined && !(Number.isFinite(value) && value >= 0)) return `\`${key}\` must be a number of at least 0`;
  if (prices && (prices.input === undefined || prices.output === undefined)) return '`prices` needs both `input` and `output`';
  return budget?.money !== undefined && !prices ? '`budget.money` needs `prices`' : undefined;
}
