/** Whole lines of a stream of bytes, up to a limit. */

/** Returns a function that takes bytes and hands out lines without space around them. It returns false once a line is longer than permitted. */
export function lineReader(mostBytes: number, take: (line: string) => void): (bytes: Uint8Array) => boolean {
  let rest: Buffer[] = [];
  let size = 0;
  return (bytes) => {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, at);
      const line = rest.length === 0 ? end : Buffer.concat([...rest, end]);
      rest = [];
      size = 0;
      from = at + 1;
      if (line.length > mostBytes) return false;
      const text = line.toString('utf8').trim();
      if (text !== '') take(text);
    }
    // Copied, because the reader may fill the bytes again.
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
    size += chunk.length - from;
    return size <= mostBytes;
  };
}
