/**
 * Does at the end of this turn of the event loop what was to be done in it. Answers that go out together wake whoever reads them once; one by
 * one, each would find the reader asleep again, and waking it costs more than the answer.
 */
export function together(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const all = (): void => {
    const now = waiting;
    waiting = [];
    for (const work of now) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(all);
  };
}
