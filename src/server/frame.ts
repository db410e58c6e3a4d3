/**
 * Encodes an answer so that a shell can read it: one line with lengths, then both streams, each followed by a separator, then the proof.
 * Only the server that wrote the endpoint knows the proof, so another process on its port cannot answer in its place.
 */

export interface FrameContent {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export const FRAME_TYPE = 'application/x-hookline-answer';

/** Sent at intervals while hooks run, so that the client knows the server is alive. */
export const STILL_WORKING = 'hookline-wait\n';

export function encodeFrame({ stdout: out, stderr: err, exit }: FrameContent, proof: string): string {
  // A shell cannot hold the one, and takes the other for the end of a stream.
  const [stdout = '', stderr = ''] = [out, err].map((text) => text.replaceAll('\0', '').replaceAll(SEPARATOR, ''));
  return `hookline-answer 1 ${proof} ${exit} ${Buffer.byteLength(stdout)} ${Buffer.byteLength(stderr)}\n${stdout}${SEPARATOR}${stderr}${SEPARATOR}${proof}\n`;
}

/** Returns undefined if any part is wrong. An incomplete answer is not an answer. */
export function decodeFrame(bytes: Buffer, proof: string): FrameContent | undefined {
  let at = 0;
  while (bytes.toString('latin1', at, at + STILL_WORKING.length) === STILL_WORKING) at += STILL_WORKING.length;
  const end = bytes.indexOf('\n', at);
  const fields = /^hookline-answer 1 ([0-9a-f]+) (\d{1,3}) (\d{1,9}) (\d{1,9})$/.exec(bytes.toString('latin1', at, Math.max(end, at)));
  if (!fields || fields[1] !== proof || Number(fields[2]) > 255) return undefined;
  const [out, err] = [Number(fields[3]), Number(fields[4])];
  const [first, second] = [end + 1, end + 1 + out + 1];
  const close = Buffer.from(`${SEPARATOR}${proof}\n`);
  if (bytes.toString('latin1', second - 1, second) !== SEPARATOR || !bytes.subarray(second + err).equals(close)) return undefined;
  return {
    exit: Number(fields[2]),
    stdout: bytes.toString('utf8', first, first + out),
    stderr: bytes.toString('utf8', second, second + err),
  };
}

/** A shell that cannot count bytes splits the frame here. It rejects a stream that contains this character. */
const SEPARATOR = '\x1e';
