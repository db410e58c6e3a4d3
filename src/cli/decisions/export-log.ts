/** `hookline log export`, `hookline log verify FILE` and `hookline log key`: the log for other programs, and the proof that a file of it is whole. */
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../../api/clock.ts';
import type { Persistence } from '../../api/persistence.ts';
import type { SealedLog } from '../../api/sealed-log.ts';
import type { Checkpoint } from '../../core/record/checkpoint.ts';
import type { Anchor, LogEntry, LogStore } from '../../core/record/decision-record.ts';
import { suggest } from '../../core/values/suggest.ts';
import { exportLog, FORMATS, type Format, type FormatName } from '../../engine/record/export/export-log.ts';
import { type VerifiedExport, verifyExport } from '../../engine/record/export/verify-export.ts';
import { isSigned } from '../../stores/log-key.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { readMoment } from '../input/moment.ts';
import { jsonDocument, write } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { block, plural } from '../print/text.ts';
import { openKeeping } from '../store.ts';
import { packageVersion } from '../version.ts';

const PAGE = 1000;

/** Writes every entry of a range, oldest first, so that a program can read on where it stopped. */
export async function exportEntries(args: Arguments): Promise<CommandResult> {
  const format = readFormat(optionValue(args, 'format') ?? 'ndjson');
  const keeping = await openKeeping(args);
  try {
    const { log } = await keeping.store();
    const text = exportedLog(keeping, format, await firstOf(log, args), readUntil(args));
    const output = optionValue(args, 'output');
    if (output === undefined) {
      for await (const part of text) if (!(await write(1, part))) break;
      return { exit: EXIT.ok };
    }
    await pipeline(text, createWriteStream(output, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
      throw notWritten(output, error);
    });
    return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ file: output }) : `The log was written to ${output}.\n` };
  } finally {
    await keeping.close(0);
  }
}

/** Returns the log after `from` as it is now. */
export async function* exportedLog(keeping: Persistence, format: Format, from?: Anchor, until?: number): AsyncGenerator<string> {
  const { log } = await keeping.store();
  const sealed = keeping.sealed();
  const head = await log.head();
  const anchor = from ?? (await log.anchor());
  const checkpoints = checkpointsUpTo(head, sealed);
  const about = { version: packageVersion(), store: sealed?.store ?? 'memory', anchor };
  yield* exportLog({ about, pages: pagesOf(log, anchor, head.seq, until), checkpoints }, format);
}

/** Returns the statements about the log. The head gets one if it has none, so that a signature covers everything that is exported. */
function checkpointsUpTo({ seq, hash }: Anchor, sealed: SealedLog | undefined): readonly Checkpoint[] {
  const known = (sealed?.witness()?.checkpoints().checkpoints ?? []).filter((checkpoint) => checkpoint.seq <= seq);
  const isStated = seq === 0 || known.some((checkpoint) => checkpoint.seq === seq && checkpoint.hash === hash);
  const stated = isStated ? undefined : sealed?.state({ seq, hash });
  return stated ? [...known, stated] : known;
}

function readFormat(name: string): Format {
  if (Object.hasOwn(FORMATS, name)) return FORMATS[name as FormatName];
  const near = suggest(name, Object.keys(FORMATS));
  throw usageError(`There is no format \`${name}\`.`, near ? `Did you mean \`${near}\`?` : `Formats: ${Object.keys(FORMATS).join(', ')}.`);
}

function notWritten(file: string, error: unknown): CommandError {
  const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
  return new CommandError({
    exit: EXIT.usage,
    code: 'usage',
    message: isThere ? `${file} exists already, so nothing was written.` : `${file} cannot be written: ${error}.`,
    hint: isThere ? 'Name another file, or remove this one first.' : 'Name a file in a folder that you may write.',
  });
}

function readUntil(args: Arguments): number | undefined {
  const written = optionValue(args, 'until');
  return written === undefined ? undefined : readMoment('until', written, Date.now());
}

/** Returns the entry before the first one that is exported. */
async function firstOf(log: LogStore, args: Arguments): Promise<Anchor> {
  const [since, after] = [optionValue(args, 'since'), optionValue(args, 'after')];
  if (since !== undefined && after !== undefined) throw usageError('`--since` and `--after` cannot be combined.', 'Give one of them.');
  const anchor = await log.anchor();
  if (after !== undefined) return beforeNext(log, readNumber(after), anchor);
  if (since === undefined) return anchor;
  const at = readMoment('since', since, Date.now());
  const [first] = await log.list({ since: at, after: anchor.seq, limit: 1 });
  return first ? { seq: first.seq - 1, hash: first.previous } : headOf(await log.head());
}

function readNumber(written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw usageError(`\`--after\` must be the number of an entry, not \`${written}\`.`, 'Write `--after 1200`.');
}

async function beforeNext(log: LogStore, after: number, anchor: Anchor): Promise<Anchor> {
  if (after <= anchor.seq) return anchor;
  const [next] = await log.list({ after, limit: 1 });
  return next ? { seq: next.seq - 1, hash: next.previous } : headOf(await log.head());
}

function headOf({ seq, hash }: Anchor): Anchor {
  return { seq, hash };
}

/** Reads up to the head that was signed, even if entries are added meanwhile. */
async function* pagesOf(log: LogStore, anchor: Anchor, last: number, until: number | undefined): AsyncGenerator<readonly LogEntry[]> {
  for (let after = anchor.seq; after < last; ) {
    const page = await log.list({ after, limit: Math.min(PAGE, last - after) });
    const end = until === undefined ? -1 : page.findIndex(({ at }) => at > until);
    yield end < 0 ? page : page.slice(0, end);
    const newest = page.at(-1);
    if (end >= 0 || !newest) return;
    after = newest.seq;
  }
}

/** Verifies a file with nothing but the file and the public keys. */
export async function verifyFile(args: Arguments, file: string): Promise<CommandResult> {
  const keys = await readKeys(args);
  if (!existsSync(file))
    throw new CommandError({
      exit: EXIT.config,
      code: 'not-found',
      message: `There is no file ${file}.`,
      hint: 'Give the path of an exported log.',
    });
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  const verified = await verifyExport(lines, new Set(keys), sha256, isSigned);
  const isProven = verified.ok && verified.coveredTo === verified.head.seq;
  const exit = isProven ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ ...verified, ok: isProven }) };
  return { exit, out: renderFile(file, verified, isProven, terminalStyle()) };
}

/** Returns the keys that were given, each as text or in a file, or else the key of this machine. */
async function readKeys(args: Arguments): Promise<readonly string[]> {
  const given = args.values.get('key') ?? [];
  if (given.length > 0) return given.map((written) => (existsSync(written) ? readFileSync(written, 'utf8') : written).trim());
  const own = await ownKey(args);
  return own === undefined ? [] : [own];
}

async function ownKey(args: Arguments): Promise<string | undefined> {
  const keeping = await openKeeping(args);
  try {
    await keeping.store();
    return keeping.sealed()?.witness()?.key;
  } finally {
    await keeping.close(0);
  }
}

export async function printKey(args: Arguments): Promise<CommandResult> {
  const key = await ownKey(args);
  if (key === undefined)
    throw new CommandError({
      exit: EXIT.negative,
      code: 'not-found',
      message: 'This machine has no key yet.',
      hint: 'It is made with the first entry of the log.',
    });
  return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument({ key }) : `${key}\n` };
}

function renderFile(file: string, { entries, head, coveredTo, keys, problems }: VerifiedExport, isProven: boolean, style: Style): string {
  if (isProven) {
    return `${style.green(`✓ ${file}: ${plural(entries, 'entry', 'entries')} verified, and signed up to entry ${head.seq}: none was changed or removed.`)}\n`;
  }
  const listed = problems.map(({ line, detail }) => block(`Line ${line}: ${detail}`, '  ', style.columns));
  const uncovered =
    problems.length === 0 ? [block(`No signature that you trust covers the entries after ${coveredTo}.`, '  ', style.columns)] : [];
  const hint =
    keys.length === 0 || coveredTo > 0
      ? []
      : [
          block(
            `The file names the key ${keys.join(', ')}. If \`hookline log key\` on the machine that wrote it says the same, pass it with \`--key\`.`,
            '  ',
            style.columns,
          ),
        ];
  return `${[style.red(style.bold(`✗ ${file} is not proven to be whole.`)), ...listed, ...uncovered, ...hint].join('\n')}\n`;
}
