/** What files are known to hold, because the script itself writes them. One file has one key, however its path is spelt. */
import { posix } from 'node:path';

export class Written {
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#texts.size;
  }

  get(path: string): string | undefined {
    return this.#texts.get(posix.normalize(path));
  }

  set(path: string, text: string): void {
    this.#texts.set(posix.normalize(path), text);
  }
}
