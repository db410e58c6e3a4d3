/** Parses the words of `tar`: the archived files and the archive, which can be on another host. */

export interface Tar {
  readonly creates: boolean;
  /** `-` is standard output. Undefined: the default, which is a tape or standard output. */
  readonly archive: string | undefined;
  readonly reads: readonly string[];
}

const VALUED = 'bCfFgHIKLNTVX';
const LONG_VALUED: ReadonlySet<string> = new Set(
  (
    'directory files-from exclude exclude-from transform owner group mode mtime newer use-compress-program to-command checkpoint-action rsh-command ' +
    'format label listed-incremental blocking-factor starting-file'
  ).split(' '),
);

export function tarOf(argv: readonly string[], env: Readonly<Record<string, string>>): Tar {
  const preset = (env['TAR_OPTIONS'] ?? '').split(/\s+/).filter((word) => word !== '');
  const own = argv.slice(1);
  const old = own[0] !== undefined && /^[A-Za-z]+$/.test(own[0]) && /[crtuxAd]/.test(own[0]) ? own.shift() : undefined;
  const state: State = { creates: false, extracts: false, archive: env['TAPE'], folder: '', reads: [] };
  if (old !== undefined) for (const letter of old) take(state, letter, VALUED.includes(letter) ? (own.shift() ?? '') : '');
  readWords(preset, state);
  readWords(own, state);
  const { creates, extracts, archive, reads } = state;
  return { creates, archive, reads: extracts ? (archive === undefined ? [] : [archive]) : reads };
}

interface State {
  creates: boolean;
  extracts: boolean;
  archive: string | undefined;
  folder: string;
  readonly reads: string[];
}

function readWords(words: readonly string[], state: State): void {
  let reading = true;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (reading && word === '--') reading = false;
    else if (reading && word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      const valued = name === 'file' || LONG_VALUED.has(name);
      const given = value ?? (valued ? (words[++at] ?? '') : '');
      take(
        state,
        { file: 'f', directory: 'C', create: 'c', append: 'r', update: 'u', extract: 'x', get: 'x', list: 't' }[name] ?? '',
        given,
      );
    } else if (reading && /^-./.test(word)) {
      for (let i = 1; i < word.length; i++) {
        const letter = word[i] ?? '';
        if (!VALUED.includes(letter)) take(state, letter, '');
        else {
          take(state, letter, word.slice(i + 1) || (words[++at] ?? ''));
          break;
        }
      }
    } else state.reads.push(state.folder === '' || /^[/~]/.test(word) ? word : `${state.folder}/${word}`);
  }
}

function take(state: State, letter: string, value: string): void {
  if (letter === 'c' || letter === 'r' || letter === 'u') state.creates = true;
  else if (letter === 'x' || letter === 't') state.extracts = true;
  else if (letter === 'f') state.archive = value;
  else if (letter === 'C') state.folder = value;
}
