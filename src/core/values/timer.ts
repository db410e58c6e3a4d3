/** The longest time that a timer of Node takes, about 25 days. `setTimeout` takes a longer one for no time at all. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
