/**
 * The files that the script itself writes, with their known content. One file has one key for all spellings of its path. A relative path
 * starts in the folder in which the script is at that point.
 */
import { posix } from 'node:path';

/** A path that has one spelling: no empty part, and none that starts with a dot. */
const PLAIN = /^\/?[^/.][^/]*(?:\/[^/.][^/]*)*$/;
/** Names that the files of build and test tools have. */
const FOR_TOOLS = /(?:file|\.[a-z]{2,5}|construct|hooks\/[\w-]+|rc)$/i;

export class WrittenFiles {
  readonly #texts: Map<string, string>;
  /** All files that were ever written, including deleted ones. */
  readonly #ever: Map<string, string>;
  /** Paths that were read before they were written. */
  readonly #missed = new Set<string>();
  /** Whether a tool looked for any of its files. */
  #missedAny = false;
  #late = false;
  /** Programs under another name, and folders behind a link, by path. */
  readonly #others = new Map<string, string>();
  /** The current folder of the script. Empty: the folder in which it was started. */
  cwd = '';

  constructor(texts: ReadonlyMap<string, string> = new Map()) {
    this.#texts = new Map(texts);
    this.#ever = new Map(texts);
  }

  /** Returns the files for a second walk of the same script, in which every command sees all files that the first walk wrote. */
  forSecondWalk(): WrittenFiles {
    return new WrittenFiles(this.#ever);
  }

  /** Whether a file was written after it had been read. */
  get late(): boolean {
    return this.#late;
  }

  /** Returns the files that were ever written, with their last text. */
  all(): ReadonlyMap<string, string> {
    return this.#ever;
  }

  /** Number of files that were ever written. */
  get size(): number {
    return this.#ever.size;
  }

  get(path: string): string | undefined {
    const key = this.#key(path);
    const text = this.#texts.get(key);
    if (text === undefined) this.#missed.add(key);
    return text;
  }

  /** Returns whether the script has written a file by now. A question is no attempt to read it. */
  has(path: string): boolean {
    return this.#texts.has(this.#key(path));
  }

  /** Notes that a tool looked for its files while there were none. */
  missAny(): void {
    this.#missedAny = true;
  }

  /** Returns the text that a command adds to. The command does nothing with it, so this is no attempt to read it. */
  before(path: string): string {
    return this.#texts.get(this.#key(path)) ?? '';
  }

  set(path: string, text: string): void {
    const key = this.#key(path);
    this.#late ||= this.#missed.has(key) || (this.#missedAny && FOR_TOOLS.test(key));
    this.#texts.set(key, text);
    this.#ever.set(key, text);
  }

  /** Notes that a path is a copy of, or a link to, another one. */
  alias(path: string, to: string): void {
    this.#others.set(this.#key(path), to);
  }

  /** Returns what a path is a copy of. */
  behind(path: string): string | undefined {
    return this.#others.size === 0 ? undefined : this.#others.get(this.#key(path));
  }

  /** Returns the path behind a link to a folder, for a path below it. */
  throughLink(path: string): string {
    if (this.#others.size === 0 || !path.includes('/')) return path;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const to = this.behind(path.slice(0, at));
      if (to !== undefined) return to + path.slice(at);
    }
    return path;
  }

  delete(path: string): void {
    this.#texts.delete(this.#key(path));
  }

  #key(path: string): string {
    const linked = path.startsWith('/proc/self/fd/') ? `/dev/fd/${path.slice(14)}` : path;
    const full = /^[/~]/.test(linked) || this.cwd === '' ? linked : `${this.cwd}/${linked}`;
    return PLAIN.test(full) ? full : posix.normalize(full);
  }
}
