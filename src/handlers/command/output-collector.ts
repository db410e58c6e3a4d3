/** What a process wrote on one stream, bounded while it is read: beyond the limit bytes are counted as cut and dropped. */
import { StringDecoder } from 'node:string_decoder';

export class OutputCollector {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #cut = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get cut(): boolean {
    return this.#cut;
  }

  /** Copies what it keeps: the buffer belongs to the reader, who will fill it again. */
  add(bytes: Uint8Array): void {
    const room = this.#limit - this.#size;
    if (bytes.length > room) this.#cut = true;
    if (room <= 0) return;
    const kept = Buffer.from(bytes.length > room ? bytes.subarray(0, room) : bytes);
    this.#chunks.push(kept);
    this.#size += kept.length;
  }

  /** Decoded in one go, so no character is torn where two reads met; one that the cut went through is left out. */
  text(): string {
    if (this.#size === 0) return '';
    const bytes = Buffer.concat(this.#chunks, this.#size);
    return this.#cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
  }
}
