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
  if (parts === undefined) return { file, diagnostics: [] };
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
