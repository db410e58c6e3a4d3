/** The program that PowerShell is given: an option with text or base64, a file, or its input. Base64 text is decoded and stays marked as disguised. */
import type { WrittenFiles } from '../flow/written.ts';
import type { Program } from '../machine.ts';
import { UNKNOWN } from '../marks.ts';

const VALUED = /^-(ep|ex\w*|w|wi\w*|v|ve\w*|in\w*|ou\w*|o|of|if|config\w*|wd|wo\w*|psc\w*|settings\w*|custom\w*)$/i;

export function powershellProgram(argv: readonly string[], stdin: string, files?: WrittenFiles): Program | undefined {
  const file = (path: string): Program => ({ language: 'powershell', text: files?.get(path), from: 'file', path });
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (/^--?(help|version|\?|h)$/i.test(word)) return undefined;
    if (VALUED.test(word)) at++;
    else if (/^[-/](e|ec|en\w*)$/i.test(word))
      return { language: 'powershell', text: decodeBase64(argv[at + 1] ?? ''), from: 'argument', encoded: true };
    else if (/^[-/]c(o\w*)?$/i.test(word)) return program(argv.slice(at + 1), stdin);
    else if (/^[-/]f(i\w*)?$/i.test(word)) return file(argv[at + 1] ?? '');
    else if (!/^-/.test(word)) return word.endsWith('.ps1') ? file(word) : program(argv.slice(at), stdin);
  }
  return { language: 'powershell', text: stdin, from: 'stdin' };
}

function program(words: readonly string[], stdin: string): Program {
  return words[0] === '-' || words.length === 0
    ? { language: 'powershell', text: stdin, from: 'stdin' }
    : { language: 'powershell', text: words.join(' '), from: 'argument' };
}

function decodeBase64(text: string): string {
  return /^[A-Za-z0-9+/=\s]*$/.test(text) ? Buffer.from(text, 'base64').toString('utf16le').replaceAll('\0', '') : UNKNOWN;
}
