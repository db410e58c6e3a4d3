/**
 * What files are known to hold, because the script itself writes them. One file has one key, however its path is spelt; a relative
 * path is taken from the folder that the script is in at that point.
 */
import { posix } from 'node:path';

export class Written {
  readonly #texts: Map<string, string>;
  /** All that were ever written, with those that were deleted again. */
  readonly #ever: Map<string, string>;
  /** Paths that were read before anything was written there. */
  readonly #missed = new Set<string>();
  #late = false;
  /** The folder the script is in; empty if it has not left the one it was started in. */
  cwd = '';

  constructor(texts: ReadonlyMap<string, string> = new Map()) {
    this.#texts = new Map(texts);
    this.#ever = new Map(texts);
  }

  /** The same script once more: what it writes at any time may be read by what stands before. */
  again(): Written {
    return new Written(this.#ever);
  }

  /** Something was written only after it had been read. */
  get late(): boolean {
    return this.#late;
  }

  /** How many were ever written. */
  get size(): number {
    return this.#ever.size;
  }

  get(path: string): string | undefined {
    const key = this.#key(path);
    const text = this.#texts.get(key);
    if (text === undefined) this.#missed.add(key);
    return text;
  }

  set(path: string, text: string): void {
    const key = this.#key(path);
    this.#late ||= this.#missed.has(key);
    this.#texts.set(key, text);
    this.#ever.set(key, text);
  }

  delete(path: string): void {
    this.#texts.delete(this.#key(path));
  }

  #key(path: string): string {
    const linked = path.replace(/^\/proc\/self\/fd\//, '/dev/fd/');
    return posix.normalize(/^[/~]/.test(linked) || this.cwd === '' ? linked : `${this.cwd}/${linked}`);
  }
}
