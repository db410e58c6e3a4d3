/** Parses shell code. Bash rejects some texts that zsh takes, so they are read a second time without the parts that only zsh knows. */
import { type ParsedScript, parse } from 'unbash';

/**
 * Conditions on the files of a pattern, such as `*.ts(.)` for plain files. They select some of the files, so the pattern without them means at least
 * as much. Conditions that run code (`e`, `+`) stay, and the text stays invalid.
 */
const CONDITIONS = /([*?\]][\w.*?-]{0,64})(\([./@=%*rwxRWXNDonOmLuUMk^,\d[\]-]{1,16}\))(?=[\s;|&)<>]|$)/g;

export function parseShell(text: string): ParsedScript {
  const script = parse(text);
  if (!script.errors?.length || !/[*?\]][\w.*?-]*\(/.test(text)) return script;
  // Spaces keep every position.
  const plain = text.replace(CONDITIONS, (_, pattern: string, condition: string) => pattern + ' '.repeat(condition.length));
  const again = plain === text ? script : parse(plain);
  return again.errors?.length ? script : again;
}
