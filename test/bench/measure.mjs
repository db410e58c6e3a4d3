// Side-by-side measuring: contestants take turns within one run, so that a noisy minute is noisy for all of them. Medians, not means.

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Lets each contestant run once per round, in turning order. `contestants`: name → async function that returns its figure. */
export async function inTurns(rounds, contestants) {
  const names = Object.keys(contestants);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      figures[name].push(await contestants[name]());
    }
  }
  const medians = Object.fromEntries(names.map((name) => [name, median(figures[name])]));
  /** The median of the ratios within each round: what the two had to put up with was the same. */
  const ratio = (over, under) => median(figures[over].map((value, i) => value / figures[under][i]));
  /** The median of the differences within each round, likewise. */
  const difference = (more, less) => median(figures[more].map((value, i) => value - figures[less][i]));
  return { medians, ratio, difference };
}

/** Microseconds per call, of so many calls one after the other. */
export function perCall(calls, run) {
  return async () => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) await run(i);
    return ((performance.now() - start) * 1000) / calls;
  };
}

export const row = (name, figure, unit, target) => ({
  name,
  figure,
  unit,
  target: target ?? null,
  ok: target === undefined ? null : figure <= target,
});
