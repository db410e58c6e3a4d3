/** The payload of an event as the command line gives it: JSON, a file, or stdin. Anything but a JSON object is wrong usage. */
import { isUtf8 } from 'node:buffer';
import { fstatSync, readFileSync, readSync } from 'node:fs';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { usageError } from '../arguments.ts';

export async function readPayload(given: string): Promise<JsonObject> {
  if (given === '-') return parseObject(textOf(await readStdin(), 'stdin'), 'The payload on stdin');
  if (!given.startsWith('@')) return parseObject(given, 'The payload');
  const file = given.slice(1);
  return parseObject(textOf(readFile(file), file), `The payload in ${file}`);
}

/** Names the flaw with its line and column. */
export async function parseObject(text: string, what: string): Promise<JsonObject> {
  let value: unknown;
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    const { findJsonFlaw } = await import('./json-position.ts');
    const flaw = findJsonFlaw(plain);
    const where = flaw
      ? ` at line ${flaw.line}, column ${flaw.column}: ${flaw.why}`
      : `: ${error instanceof Error ? error.message : error}`;
    throw usageError(
      `${what} is not JSON${where}.`,
      'Quote it so that the shell leaves it alone, or give it as `@FILE` or on stdin as `-`.',
    );
  }
  if (isObject(value)) return value;
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  throw usageError(`${what} must be a JSON object, found ${found}.`, 'Give an object, {} if there is nothing to say.');
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`The payload file ${file} cannot be read (${codeOf(error) ?? error}).`, 'Give the path of a file after the `@`.');
  }
}

function textOf(bytes: Buffer, where: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw usageError(`The payload in ${where} is not UTF-8 text.`, 'Send it as UTF-8.');
}

/** Returns the text on stdin; empty if there is none. */
export async function readStdinText(): Promise<string> {
  return textOf(await readStdin(), 'stdin');
}

/** Reads the descriptor itself; a pipe that has nothing yet and will not wait is left to the stream, which does. */
async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(0, chunk);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EOF') return Buffer.concat(chunks);
    if (code !== 'EAGAIN') throw usageError(`The payload cannot be read from stdin (${code ?? error}).`, 'Give it as `@FILE`.');
  }
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether a person types on stdin. Other kinds of stdin are recognised without `node:tty`, which loads every stream that Node has. */
export async function isTyped(): Promise<boolean> {
  if (!isDevice()) return false;
  const { isatty } = await import('node:tty');
  return isatty(0);
}

/** If the kind is unknown, it counts as a device, so that it is examined. */
function isDevice(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}
