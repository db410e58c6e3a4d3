/**
 * Parses the YAML between the two `---` lines at the top of a Markdown file. The body is not kept. `plain-yaml.ts` reads plain frontmatter,
 * which is nearly all there is. The YAML library is loaded when the first file needs it, because loading it costs start-up time.
 */
import type { Document } from '../../core/values/document.ts';
import { failed, refuse, withoutBom } from './intake.ts';
import { parsePlainYaml } from './plain-yaml.ts';

/** The library spends up to 8 µs on each character of an invalid text, so this limit keeps the worst file near a second. */
const MAX_FRONTMATTER = 128 * 1024;

type Yaml = typeof import('./yaml.ts');
let yaml: Yaml | undefined;

export function parseFrontmatter(file: string, text: string): Document | Promise<Document> {
  const refused = refuse(file, text);
  if (refused) return refused;
  const parts = split(text);
  if (parts === undefined) return misplaced(file, text);
  if (parts === 'unclosed') {
    const at = { line: 1, column: 1 };
    return failed(
      file,
      at,
      'unclosed-frontmatter',
      'The frontmatter that starts here has no end.',
      'Close it with a line that is just `---`.',
    );
  }
  if (parts.source.length > MAX_FRONTMATTER) {
    const at = { line: 2, column: 1 };
    return failed(file, at, 'file-too-large', 'The frontmatter is larger than 128 KiB and is not read.', 'Move long texts to the body.');
  }
  const plain = parsePlainYaml(parts.source, 2);
  if (plain) return { file, ...plain, diagnostics: [] };
  return yaml ? yaml.parseYaml(file, parts.source, 2) : loadYaml().then(({ parseYaml }) => parseYaml(file, parts.source, 2));
}

/** Whether a line of the frontmatter, or of what may be meant as one, begins like a key for hooks. */
export function mentionsHooks(text: string, events: readonly string[] = []): boolean {
  const head = headOf(text);
  return HOOKS_KEY.test(head) || events.some((event) => head.includes(`${event}:`) || head.includes(`${event}":`));
}

const HOOKS_KEY = /^[ \t"']*(?:[\w-]*hook[\w-]*|ho+[ck]*s)[ \t"']*:/im;
/** Dashes that are meant as the start of the frontmatter, with any line end, after blanks, a title, a comment or the start of a code block. */
const MEANT_OPENING = /^(?:\s*(?:#[^\r\n]*|<!--[^\r\n]*-->|(?:```|~~~)[^\r\n]*)[\r\n]){0,3}\s*-{2,}[ \t]*[\r\n]/;

/** Returns the lines between the first two lines of dashes, with `\n` as line end; all lines if there is no second. */
function headOf(text: string): string {
  const whole = withoutBom(text);
  const [opening] = MEANT_OPENING.exec(whole) ?? [];
  const [, ...lines] = (opening === undefined ? whole.trimStart() : whole.slice(opening.lastIndexOf('--'))).split(/\r\n|\n|\r/);
  const end = lines.findIndex((line) => /^[ \t]*-{2,}[ \t]*$/.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n');
}

/** Reports hooks in lines that look like frontmatter, but that no agent reads as such. A text without hooks has nothing to lose. */
function misplaced(file: string, text: string): Document {
  const whole = withoutBom(text);
  const opening = MEANT_OPENING.exec(whole);
  if (!opening || !mentionsHooks(text)) return { file, diagnostics: [] };
  const before = whole.slice(0, opening[0].search(/-{2,}[ \t]*[\r\n]$/)).split(/\r\n|\n|\r/);
  const at = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const why =
    before.length > 1 || at.column > 1
      ? 'is not at the very beginning of the file'
      : /^---[ \t]*\r/.test(whole)
        ? 'ends its lines with a carriage return alone'
        : 'does not begin with a line that is just `---`';
  const hint = 'Begin the file with a line that is just `---`, and end every line with a line feed.';
  return failed(file, at, 'no-frontmatter', `The frontmatter ${why}, so it is not read, and its hooks never run.`, hint);
}

/** Reads the block under `hooks:` alone if the rest of the frontmatter is broken, because agents do so too. */
export async function parseLooseFrontmatter(file: string, text: string): Promise<Document> {
  const whole = await parseFrontmatter(file, text);
  const parts = whole.root ? undefined : split(text);
  if (typeof parts !== 'object' || parts.source.length > MAX_FRONTMATTER) return whole;
  const block = /^hooks[ \t]*:[^\n]*\n(?:[ \t#\r-][^\n]*\n|\n)*/m.exec(`${parts.source}\n`);
  if (!block) return whole;
  const firstLine = 2 + (parts.source.slice(0, block.index).match(/\n/g)?.length ?? 0);
  const { root, diagnostics } = (await loadYaml()).parseYaml(file, block[0], firstLine);
  if (!root) return whole;
  const broken = whole.diagnostics.map((said) => ({ ...said, severity: 'warning' as const }));
  return { file, root, diagnostics: [...broken, ...diagnostics] };
}

/** Returns the text after the frontmatter, or the whole text if there is none. */
export function frontmatterBody(text: string): string {
  const parts = split(text);
  return typeof parts === 'object' ? parts.body : withoutBom(text);
}

async function loadYaml(): Promise<Yaml> {
  yaml = await import('./yaml.ts');
  return yaml;
}

function split(text: string): { readonly source: string; readonly body: string } | 'unclosed' | undefined {
  const whole = withoutBom(text);
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(whole);
  if (!opening) return undefined;
  const start = opening[0].length;
  for (let lineEnd = start - 1; lineEnd >= 0; lineEnd = whole.indexOf('\n', lineEnd + 1)) {
    if (!whole.startsWith('---', lineEnd + 1)) continue;
    const next = whole.indexOf('\n', lineEnd + 1);
    const bodyStart = next < 0 ? whole.length : next + 1;
    if (whole.slice(lineEnd + 4, bodyStart).trim() === '') return { source: whole.slice(start, lineEnd + 1), body: whole.slice(bodyStart) };
  }
  return 'unclosed';
}
