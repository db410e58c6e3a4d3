/** Options and operands of a command, as most tools read them. */
export interface Arguments {
  readonly short: ReadonlySet<string>;
  readonly long: readonly string[];
  readonly operands: readonly string[];
}

export function readArguments(argv: readonly string[]): Arguments {
  const short = new Set<string>();
  const long: string[] = [];
  const operands: string[] = [];
  let options = true;
  for (const word of argv.slice(1)) {
    if (options && word === '--') options = false;
    else if (options && word.startsWith('--')) long.push(word);
    else if (options && /^-[^-]/.test(word)) for (const letter of word.slice(1)) short.add(letter);
    else operands.push(word);
  }
  return { short, long, operands };
}

/** GNU tools take any beginning of a long option that is not ambiguous. */
export function hasLong(long: readonly string[], name: string, least = 3): boolean {
  return long.some((option) => option.length >= least && `--${name}`.startsWith(option.replace(/=.*$/s, '')));
}
