/**
 * A timer for one wait after the other, most of which end long before it is due. Clearing it only forgets the wait: the timer of Node runs on, and
 * is set anew only if it would ring too late. To set one for each wait costs more than a short hook.
 */
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';

export class Alarm {
  #timer: NodeJS.Timeout | undefined;
  /** When the timer of Node rings. */
  #rings = Number.POSITIVE_INFINITY;
  /** When the wait is over. */
  #due = Number.POSITIVE_INFINITY;
  #ring: () => void = () => {};

  /** It never keeps the process alive: the thing that is waited for does. */
  set(ms: number, ring: () => void): void {
    this.#due = performance.now() + ms;
    this.#ring = ring;
    if (this.#due < this.#rings) this.#start(ms);
  }

  clear(): void {
    this.#due = Number.POSITIVE_INFINITY;
  }

  /** Once nothing more is waited for. */
  close(): void {
    this.clear();
    clearTimeout(this.#timer);
    this.#rings = Number.POSITIVE_INFINITY;
  }

  #start(ms: number): void {
    clearTimeout(this.#timer);
    const wait = Math.min(ms, LONGEST_TIMER_MS);
    this.#rings = performance.now() + wait;
    this.#timer = setTimeout(this.#look, wait).unref();
  }

  readonly #look = (): void => {
    this.#rings = Number.POSITIVE_INFINITY;
    const left = this.#due - performance.now();
    if (left === Number.POSITIVE_INFINITY) return;
    if (left > 0) this.#start(left);
    else {
      this.clear();
      this.#ring();
    }
  };
}
