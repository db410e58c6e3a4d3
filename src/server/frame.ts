/**
 * An answer in a form that a shell can read: one line with lengths, then both streams, each closed by a separator, and the proof at the end.
 * Only the server that wrote the endpoint knows the proof, so nobody who merely got hold of its port can answer in its place.
 */

export interface FrameContent {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export const FRAME_TYPE = 'application/x-hookline-answer';

/** Sent now and then while hooks are working: whoever waits knows that somebody is there. */
export const STILL_WORKING = 'hookline-wait\n';

export function encodeFrame({ stdout, stderr, exit }: FrameContent, proof: string): string {
  return `hookline-answer 1 ${proof} ${exit} ${Buffer.byteLength(stdout)} ${Buffer.byteLength(stderr)}\n${stdout}${SEPARATOR}${stderr}${SEPARATOR}${proof}\n`;
}

/** Undefined if anything is not as it must be: half an answer is none. */
export function decodeFrame(bytes: Buffer, proof: string): FrameContent | undefined {
  let at = 0;
  while (bytes.toString('latin1', at, at + STILL_WORKING.length) === STILL_WORKING) at += STILL_WORKING.length;
  const end = bytes.indexOf('\n', at);
  const words = /^hookline-answer 1 ([0-9a-f]+) (\d{1,3}) (\d{1,9}) (\d{1,9})$/.exec(bytes.toString('latin1', at, Math.max(end, at)));
  if (!words || words[1] !== proof || Number(words[2]) > 255) return undefined;
  const [out, err] = [Number(words[3]), Number(words[4])];
  const [first, second] = [end + 1, end + 1 + out + 1];
  const close = Buffer.from(`${SEPARATOR}${proof}\n`);
  if (bytes.toString('latin1', second - 1, second) !== SEPARATOR || !bytes.subarray(second + err).equals(close)) return undefined;
  return {
    exit: Number(words[2]),
    stdout: bytes.toString('utf8', first, first + out),
    stderr: bytes.toString('utf8', second, second + err),
  };
}

/** A shell without lengths splits at it; a stream that has one in it is then not an answer to that shell. */
const SEPARATOR = '\x1e';
