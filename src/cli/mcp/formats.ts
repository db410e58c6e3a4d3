/** The formats of hooks, as the server of MCP describes them: their places, their events, the pages of the documentation, and their schemas. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENTS } from '../../builtins.ts';
import type { FileSearch, Place } from '../../core/contracts/agent.ts';
import type { FormatFacts, ResourceGroup } from '../../mcp/server/desk.ts';
import { packageFolder } from '../version.ts';

/** The pages of the documentation about formats. */
export function formatPages(formats: readonly FormatFacts[]): ResourceGroup & { page(format: string): Promise<string | undefined> } {
  const page = async (format: string): Promise<string | undefined> => {
    const folder = packageFolder();
    if (folder === undefined || !formats.some(({ id }) => id === format)) return undefined;
    return readFile(path.join(folder, 'docs', 'dialects', `${format}.md`), 'utf8').catch(() => undefined);
  };
  return {
    name: 'format',
    title: 'Hook format',
    description: 'The documentation of a format: its places, its events, and a working example.',
    list: async () => formats.map(({ id, title }) => ({ key: id, title, mimeType: 'text/markdown' })),
    async read(key) {
      const text = await page(key);
      return text === undefined ? undefined : { text, mimeType: 'text/markdown' };
    },
    page,
  };
}

/** The schemas of the formats, for a model that writes a hook and for editors. */
export function formatSchemas(): ResourceGroup {
  const withSchema = AGENTS.flatMap(({ id, title, dialect: { schema } }) => (schema ? [{ id, title, schema }] : []));
  return {
    name: 'schema',
    title: 'Schema of a hook format',
    description: 'The JSON Schema of the files of a format.',
    list: async () => withSchema.map(({ id, title }) => ({ key: id, title, mimeType: SCHEMA_TYPE })),
    async read(key) {
      const schema = await withSchema.find(({ id }) => id === key)?.schema();
      return schema && { text: JSON.stringify(schema, null, 2), mimeType: SCHEMA_TYPE };
    },
  };
}

const SCHEMA_TYPE = 'application/schema+json';

/** Returns the formats that have files. */
export function formatFacts(): readonly FormatFacts[] {
  return AGENTS.filter(({ places }) => places.length > 0).map(({ id, title, places, dialect }) => ({
    id,
    title,
    places: [...new Set(places.filter(({ base, kind }) => base === 'root' && kind !== 'code').map(placeOf))],
    events: Object.fromEntries(Object.entries(dialect.profile.events).map(([name, { kinds }]) => [name, kinds])),
  }));
}

/** Returns the files of a place as a pattern: `.agents/hooks/*\/HOOK.md`. */
function placeOf({ path: folder, find }: Place): string {
  return [...(folder === '' ? [] : [folder]), ...PATTERNS[find.kind](find.file)].join('/');
}

const PATTERNS: Readonly<Record<FileSearch['kind'], (file: string) => readonly string[]>> = {
  file: (file) => [file],
  each: (file) => ['*', file],
  deep: (file) => ['**', file],
  ending: (file) => [`*${file}`],
  endings: (file) => [`*${file}`],
  named: (file) => [file],
};
