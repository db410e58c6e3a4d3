/** YAML by the library, in our words: 1.2 core schema, no merge keys, every complaint with its line. Never throws. */
import { parseDocument, type Document as YamlDocument } from 'yaml';
import type { Document, Node } from '../core/document.ts';
import { complaintsAbout } from '../core/loading.ts';
import { lineTable } from './intake.ts';
import { sayYamlError } from './yaml-errors.ts';
import { yamlNodes } from './yaml-nodes.ts';

/** Beyond this many the text is not meant as YAML. */
const MAX_BAD_ESCAPES = 100;

export function parseYaml(file: string, source: string, firstLine: number): Document {
  const complaints = complaintsAbout(file);
  const lineOf = lineTable(source, firstLine);
  const { parsed, escapes } = keepBackslashes(source);
  const positionOf = (offset: number) => lineOf(originalOffset(offset, escapes));

  for (const offset of escapes) {
    const shown = source.slice(offset, offset + 2);
    complaints.say(
      'warning',
      'bad-escape',
      lineOf(offset),
      `\`${shown}\` means nothing in double quotes; it is read as it stands, backslash included.`,
      'Use single quotes, where a backslash is just a backslash.',
    );
  }
  const [error] = parsed.errors;
  if (error) {
    sayYamlError(complaints, error.code, error.message, positionOf(error.pos[0]));
    return { file, diagnostics: complaints.list };
  }
  for (const warning of parsed.warnings) {
    const at = positionOf(warning.pos[0]);
    if (warning.code === 'TAG_RESOLVE_FAILED')
      complaints.say('warning', 'unknown-tag', at, 'This tag is not known and is ignored.', 'Remove the `!tag`.');
    else complaints.say('warning', 'invalid-yaml', at, `This is doubtful YAML: ${firstLineOf(warning.message)}`);
  }
  const root: Node | undefined = parsed.contents ? yamlNodes(parsed.contents, positionOf, complaints) : undefined;
  return { file, ...(root && { root }), diagnostics: complaints.list };
}

type Parsed = YamlDocument.Parsed;

function parse(source: string): Parsed {
  return parseDocument(source, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // Told by ourselves, as a warning; the library's own check is quadratic.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // Not `silent`: a second document would be dropped without an error.
    logLevel: 'error',
  });
}

/** Patterns such as `"\.py$"` are written everywhere though YAML knows no `\.`: a backslash that escapes nothing is doubled. */
function keepBackslashes(source: string): { readonly parsed: Parsed; readonly escapes: readonly number[] } {
  const parsed = parse(source);
  const escapes = parsed.errors.filter(({ code }) => code === 'BAD_DQ_ESCAPE').map(({ pos }) => pos[0]);
  const mendable = escapes.length > 0 && escapes.length <= MAX_BAD_ESCAPES && escapes.every((offset) => source[offset] === '\\');
  if (!mendable) return { parsed, escapes: [] };
  let mended = '';
  let from = 0;
  for (const offset of escapes) {
    mended += `${source.slice(from, offset)}\\`;
    from = offset;
  }
  return { parsed: parse(mended + source.slice(from)), escapes };
}

/** Where an offset of the mended text stands in the file. */
function originalOffset(offset: number, escapes: readonly number[]): number {
  let added = 0;
  while (added < escapes.length && (escapes[added] as number) + added < offset) added++;
  return offset - added;
}

function firstLineOf(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
