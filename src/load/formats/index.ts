/** One parser per format. Each is a module of its own that is loaded with the first file of its format. A parser never throws. */
import type { Format } from '../../core/contracts/dialect.ts';
import type { Document } from '../../core/values/document.ts';
import { contained } from './intake.ts';

/** Returns a promise only if the file needs a library that is not loaded yet. */
export type Parse = (file: string, text: string) => Document | Promise<Document>;

const loaded = new Map<Format, Promise<Parse>>();

export async function loadFormat(format: Format): Promise<Parse> {
  let parse = loaded.get(format);
  if (parse === undefined) {
    parse = importFormat(format).then(contained);
    loaded.set(format, parse);
  }
  return parse;
}

async function importFormat(format: Format): Promise<Parse> {
  switch (format) {
    case 'frontmatter':
      return (await import('./frontmatter.ts')).parseFrontmatter;
    case 'loose-frontmatter':
      return (await import('./frontmatter.ts')).parseLooseFrontmatter;
    case 'json':
      return (await import('./json.ts')).parseJson;
    case 'toml':
      return (await import('./toml.ts')).parseToml;
    case 'program':
      return (await import('./program.ts')).parseProgram;
    case 'hook-program':
      return (await import('./hook-program.ts')).parseHookProgram;
  }
}
