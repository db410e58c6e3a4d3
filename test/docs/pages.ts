/** The documentation as data: its pages, their fenced blocks, links, headings and tables. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const repository = path.join(import.meta.dirname, '../..');

export interface Block {
  readonly line: number;
  readonly language: string;
  /** The word after the language: the file that the block contains. */
  readonly file?: string;
  readonly text: string;
}

export interface Page {
  /** As seen from the repository. */
  readonly name: string;
  readonly blocks: readonly Block[];
  /** Every line outside fenced blocks; blocks become empty lines, so that lines keep their numbers. */
  readonly prose: readonly string[];
}

export function allPages(): Page[] {
  const below = readdirSync(path.join(repository, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const names = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...below.sort().map((name) => path.join('docs', name))];
  return names.map(readPage);
}

export function readPage(name: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { readonly fence: string; readonly info: string; readonly line: number; readonly text: string[] } | undefined;
  for (const [index, line] of readFileSync(path.join(repository, name), 'utf8').split('\n').entries()) {
    const fence = /^(`{3,}|~{3,})\s*(.*)$/.exec(line);
    prose.push(open || fence ? '' : line);
    if (!open) {
      if (fence) open = { fence: fence[1] as string, info: (fence[2] as string).trim(), line: index + 1, text: [] };
    } else if (fence && fence[2] === '' && (fence[1] as string).startsWith(open.fence)) {
      const [language = '', file] = open.info.split(/\s+/);
      blocks.push({ line: open.line, language, ...(file !== undefined && { file }), text: `${open.text.join('\n')}\n` });
      open = undefined;
    } else open.text.push(line);
  }
  if (open) throw new Error(`${name}:${open.line}: this block has no end`);
  return { name, blocks, prose };
}

/** Links to files or headings that do not exist. */
export function brokenLinks({ name, prose }: Page): string[] {
  const text = prose.join('\n').replace(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? name : path.join(path.dirname(name), file);
    if (!existsSync(path.join(repository, found))) return [`${name} → ${target}`];
    return anchor === undefined || anchorsOf(readPage(found)).has(anchor) ? [] : [`${name} → ${target}`];
  });
}

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf({ prose }: Page): Set<string> {
  const headings = prose.flatMap((line) => /^#{1,6} (.*)$/.exec(line)?.[1] ?? []);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** The rows of every table under a heading, without their heads, as cells. */
export function tableUnder({ name, prose }: Page, heading: string): string[][] {
  const start = prose.indexOf(`## ${heading}`);
  if (start < 0) throw new Error(`${name} has no heading ${heading}`);
  const length = prose.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const section = prose.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return section.filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(section[index + 1])).map(cellsOf);
}

/** The head of the first table under a heading. */
export function headUnder({ name, prose }: Page, heading: string): string[] {
  const start = prose.indexOf(`## ${heading}`);
  const head = start < 0 ? undefined : prose.slice(start).find((line) => line.startsWith('|'));
  if (head === undefined) throw new Error(`${name} has no table under ${heading}`);
  return cellsOf(head);
}

/** The words in backticks of a cell. */
export function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && /^\|[-| :]+\|$/.test(line);
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
