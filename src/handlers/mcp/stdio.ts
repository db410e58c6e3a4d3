/** An MCP server that is a process: started in a group of its own, spoken to line by line, and ended together with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Call } from '../../core/contracts/handler.ts';
import { fault } from '../../core/decision/reply.ts';
import { objectIn } from '../../core/values/json.ts';
import { endGroup, unwatchGroup, watchGroup } from '../command/kill-group.ts';
import { spawnFault } from '../command/launch.ts';
import { lineReader } from '../kit/lines.ts';
import type { Connection } from './connection.ts';
import { createFailures } from './failures.ts';

export interface ServerProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A message has more than the text of the answer in it. */
const ROOM_BYTES = 256 * 1024;
/** The end of stderr that a fault shows. */
const MOST_SHOWN = 500;

export function stdioConnection({ command, args, cwd, env }: ServerProcess, server: string, call: Call): Connection {
  const { fail, failure, onFailure } = createFailures();
  const folder = cwd === undefined ? call.cwd : resolve(call.cwd, cwd);
  const launch = { file: command, args };
  const most = call.limits.outputBytes + ROOM_BYTES;
  const said = tail();
  const noise = tail();
  let child: ChildProcess | undefined;
  let closed: Promise<void> | undefined;

  const takeLines = lineReader(most, (line) => {
    // A line may be no message, such as a greeting that a server writes to the wrong stream.
    const message = objectIn(line);
    if (message) transport.onmessage?.(message);
    else noise.add(line);
  });
  const read = (chunk: Buffer): void => {
    if (!takeLines(chunk)) fail(fault('oversize', `the server '${server}' wrote a message of more than ${most} bytes`));
  };
  const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
    const more = [said.text(), noise.text()].filter((text) => text !== '').join(' ');
    const words = more === '' ? '' : `: ${more}`;
    if (code === null) fail(fault('signal', `the server '${server}' was ended by ${signal} before it answered${words}`));
    else fail(fault('exit', `the server '${server}' ended with exit code ${code} before it answered${words}`, { exit: code }));
    transport.onclose?.();
  };
  /** As the SDK expects it. */
  const transport = {
    onmessage: undefined as ((message: object) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: Error) => void) | undefined,
    start: () =>
      new Promise<void>((started, refuse) => {
        const refused = (error: unknown): void => {
          fail(spawnFault(error, launch, folder, false));
          refuse(error instanceof Error ? error : new Error(String(error)));
        };
        try {
          child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
        } catch (error) {
          refused(error);
          return;
        }
        child.once('error', refused);
        child.once('spawn', () => started());
        if (child.pid !== undefined) watchGroup(child.pid);
        child.stdout?.on('data', read);
        child.stderr?.on('data', (chunk: Buffer) => said.add(chunk.toString('utf8')));
        // A server that ends while it is written to is reported by its exit.
        for (const stream of child.stdio) stream?.on('error', () => {});
        // `close` comes after the last output, which may hold the answer.
        child.once('close', ended);
      }),
    send: (message: object) =>
      new Promise<void>((sent) => {
        if (!child?.stdin?.writable) return sent();
        child.stdin.write(`${JSON.stringify(message)}\n`, () => sent());
      }),
    close: () => (closed ??= end()),
  };
  const end = (): Promise<void> =>
    new Promise((gone) => {
      const { pid } = child ?? {};
      if (child === undefined || pid === undefined) return gone();
      const running = child;
      running.stdin?.end();
      const look = endGroup(pid, () => {
        unwatchGroup(pid);
        for (const stream of running.stdio) stream?.destroy();
        running.unref();
        gone();
      });
      running.once('exit', look);
    });
  return { transport, failure, onFailure, farewell: async () => {}, close: transport.close };
}

/** Keeps the end of a text. */
function tail(): { add(text: string): void; text(): string } {
  let kept = '';
  return {
    add(text) {
      kept = `${kept}${text}`.slice(-MOST_SHOWN);
    },
    text: () => kept.trim(),
  };
}
