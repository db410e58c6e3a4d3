/** The connection of a worker with Hookline: lines of JSON on file descriptor 3. */
import { readSync, writeSync } from 'node:fs';
import type { ConnectOpts, Socket, SocketConstructorOpts } from 'node:net';
import type { Json, JsonObject } from '../core/values/json.ts';
import { lineReader } from '../handlers/kit/lines.ts';
import type { RunMessage, WorkerMessage } from '../handlers/worker/protocol.ts';

type Reply = JsonObject & { readonly n?: Json };

export interface Channel {
  send(message: WorkerMessage): void;
  /** Asks Hookline something about the current event. Rejects if Hookline refuses. */
  ask(run: number, question: JsonObject): Promise<JsonObject>;
}

/** A line of Hookline has an event in it, whose size Hookline limits. */
const MOST_BYTES = Number.POSITIVE_INFINITY;
/** One for all lines: Node would make a new one for each. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);
const CHANNEL = 3;

/**
 * The first event is read and answered without a socket, because the module takes a tenth of the start of a worker. Most workers without a server
 * answer one event.
 * @param take is called with every event
 */
export function openChannel(take: (message: RunMessage, channel: Channel) => void): void {
  const asked = new Map<number, (reply: Reply) => void>();
  let next = 0;
  let isFirst = true;
  let socket: Socket | undefined;
  const channel: Channel = {
    send(message) {
      const line = `${JSON.stringify(message)}\n`;
      if (socket) socket.write(line);
      else writeWhole(line);
    },
    ask: (run, question) =>
      new Promise((resolve, reject) => {
        next += 1;
        // Made here, because its stack leads to the hook that asks.
        const refusal = new Error();
        asked.set(next, (reply) => {
          if (typeof reply['error'] !== 'string') return resolve(reply);
          refusal.message = reply['error'];
          reject(refusal);
        });
        channel.send({ run, n: next, ...question } as WorkerMessage);
      }),
  };
  const read = lineReader(MOST_BYTES, (line) => {
    isFirst = false;
    const message = JSON.parse(line) as (RunMessage & JsonObject) | Reply;
    if ('event' in message) return take(message as unknown as RunMessage, channel);
    const { n } = message as Reply;
    const settle = asked.get(n as number);
    asked.delete(n as number);
    settle?.(message as Reply);
  });
  const open = (): void => {
    socket = openSocket((bytes) => void read(bytes));
  };
  while (isFirst && readNow(read));
  if (isFirst) open();
  // An answer that is at hand is written before.
  else setImmediate(open);
}

/** Waits for bytes. Returns false if this descriptor cannot be waited for. */
function readNow(take: (bytes: Uint8Array) => void): boolean {
  let size: number;
  try {
    size = readSync(CHANNEL, buffer);
  } catch {
    return false;
  }
  if (size === 0) process.exit();
  take(buffer.subarray(0, size));
  return true;
}

function writeWhole(line: string): void {
  for (let rest = Buffer.from(line); rest.length > 0; ) rest = rest.subarray(writeSync(CHANNEL, rest));
}

function openSocket(take: (bytes: Uint8Array) => void): Socket {
  const callback = (size: number, bytes: Uint8Array): boolean => {
    take(bytes.subarray(0, size));
    return true;
  };
  const options: SocketConstructorOpts & ConnectOpts = {
    ...{ fd: CHANNEL, readable: true, writable: true },
    onread: { buffer, callback },
  };
  const socket = new (process.getBuiltinModule('node:net').Socket)(options);
  // Hookline is gone, and with it everybody who could need an answer.
  socket.on('close', () => process.exit());
  socket.on('error', () => process.exit());
  return socket;
}
