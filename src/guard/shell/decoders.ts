/** Commands that turn a disguised text into a plain one. What is written out is decoded here; of all else only the mark remains. */
import { DECODED, isDynamic, originsOf, UNKNOWN } from './marks.ts';

export function isDecoder(name: string, args: readonly string[]): boolean {
  if (name === 'rev' || name === 'tr' || name === 'uudecode' || name === 'rot13') return true;
  if (/^base(64|32|58)|^basenc$|^b64$/.test(name)) return args.some((arg) => /^-[a-z]*[dD]|^--d/.test(arg));
  if (name === 'xxd') return args.some((arg) => /^-[a-z]*r/.test(arg));
  return name === 'openssl' && args.includes('-d');
}

/** Ordinary filters also use `tr` and `rev`; a disguise is one only if the script itself holds the disguised text. */
export function decoded(name: string, args: readonly string[], input: string): string {
  const plain = name === 'rev' || name === 'tr';
  if (isDynamic(input)) return originsOf(input) + (plain ? UNKNOWN : DECODED);
  if (name === 'rev')
    return (
      DECODED +
      input
        .split('\n')
        .map((line) => [...line].reverse().join(''))
        .join('\n')
    );
  if (name === 'tr') return DECODED + translated(args, input);
  if (name === 'xxd') return DECODED + bytes(input.replace(/\s/g, ''), 'hex');
  return name === 'base64' || name === 'b64' ? DECODED + bytes(input, 'base64') : DECODED;
}

function bytes(text: string, encoding: 'hex' | 'base64'): string {
  return Buffer.from(text, encoding).toString('utf8').replaceAll('\0', '');
}

/** `tr SET1 SET2`, `tr -d SET`. */
function translated(args: readonly string[], input: string): string {
  const [from = '', to = ''] = args.filter((arg) => !/^-[a-zA-Z]+$/.test(arg)).map(members);
  if (args.some((arg) => /^-[a-z]*d/.test(arg))) return [...input].filter((char) => !from.includes(char)).join('');
  if (to === '') return input;
  return [...input].map((char) => (from.includes(char) ? (to[from.indexOf(char)] ?? to.at(-1) ?? char) : char)).join('');
}

function members(set: string): string {
  return set
    .replace(/\[:lower:\]/g, 'a-z')
    .replace(/\[:upper:\]/g, 'A-Z')
    .replace(/\\n/g, '\n')
    .replace(/([!-~])-([!-~])/g, (all, low: string, high: string) => {
      const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
      return last < first ? all : String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
    })
    .slice(0, 512);
}
