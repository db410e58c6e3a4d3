/** One parser per format, each in a module of its own that is loaded when the first file of its kind turns up. A parser never throws. */
import type { Format } from '../../core/contracts/dialect.ts';
import type { Document } from '../../core/values/document.ts';

/** A promise only where a file needs a library that is not loaded yet. */
export type Parse = (file: string, text: string) => Document | Promise<Document>;

const loaded = new Map<Format, Promise<Parse>>();

export async function loadFormat(format: Format): Promise<Parse> {
  let parse = loaded.get(format);
  if (parse === undefined) {
    parse = importFormat(format);
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
  }
}
