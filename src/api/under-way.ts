/** Entries of the log that are being written, so that others can wait for them. */

/** Those that began between two waits. They share one function: one for each, and its place in a set, took longer than judging the event. */
class Group {
  count = 0;
  #end: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  readonly done = (): void => {
    this.count--;
    if (this.count === 0) this.#end?.();
  };

  get ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve;
    });
    return this.#ended;
  }
}

export class UnderWay {
  #newest = new Group();
  readonly #older = new Set<Group>();

  /** Whether it succeeds or fails, it has ended then. */
  add(work: Promise<unknown>): void {
    this.#newest.count++;
    work.then(this.#newest.done, this.#newest.done);
  }

  /** Resolves once everything has ended that is under way now. Work that begins later is not waited for. */
  async ended(): Promise<void> {
    if (this.#newest.count > 0) {
      const group = this.#newest;
      this.#newest = new Group();
      this.#older.add(group);
      void group.ended.then(() => this.#older.delete(group));
    }
    await Promise.all([...this.#older].map((group) => group.ended));
  }
}
