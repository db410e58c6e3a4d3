/** Where the findings on files that a session wrote are kept. */

/** The notes of one session. */
export interface FindingMemory {
  /** Returns why the note is not kept, or undefined if it is. */
  add(line: string): string | undefined;
  /** Throws if the notes cannot be read. */
  read(): { readonly lines: readonly string[]; readonly isFull: boolean };
}
