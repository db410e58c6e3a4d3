/** The data that code in another language reads and sends. A program that does both with the same secret is one flow. */
import { type Code, codeOf, fetches } from '../flow/code-of.ts';
import type { FlowCommand } from '../flow/flow.ts';
import type { NamedFile } from '../flow/reads.ts';
import { privateIn, secretIn } from '../flow/secret-path.ts';
import type { Sending } from '../flow/sends.ts';
import { originsOf, PRIVATE, SECRET } from '../marks.ts';
import { hostOf } from '../programs/request.ts';
import { flavourOf } from './flavour.ts';
import { readPaths, shellTexts } from './index.ts';
import { reachedIn } from './reach.ts';

const WHOLE_ENVIRONMENT =
  /\bos\.environ\b(?!\s{0,4}[[.])|\bprocess\.env\b(?!\s{0,4}[[.])|\bENV\.(to_h|inspect|to_a)|%ENV\b|\bgetenv\(\s{0,4}\)|\$_ENV\b|Get-ChildItem\s+env:/;
/** Returns the files that code reads. */
export function codeReads({ text, name }: Code): readonly NamedFile[] {
  return readPaths(text, name).map((path) => ({ path, how: 'operand' }));
}

export function codeSends(command: FlowCommand, origins: string): readonly Sending[] {
  const code = codeOf(command);
  if (code === undefined || !fetches(code.text)) return [];
  // A whole file can read one thing and send another, so the secret itself must reach the statement that sends.
  if (command.program?.from === 'file')
    return reachedIn(code.text, flavourOf(code.name, code.text))
      .filter(({ what }) => what === 'send')
      .map(({ at }) => ({ host: '', how: 'body', text: SECRET, at }));
  const whole = WHOLE_ENVIRONMENT.test(code.text) ? PRIVATE : '';
  const ran = shellTexts(code.text, code.name).flatMap((text) => text.split(/[\s"']+/));
  const named = ran.map((word) => (secretIn(word) === undefined ? (privateIn(word) === 'file' ? PRIVATE : '') : SECRET)).join('');
  const host = hostOf(/https?:\/\/[^\s"'`)]{1,200}/i.exec(code.text)?.[0] ?? '');
  return [{ host, how: 'stream', text: originsOf(origins + whole + named) }];
}
