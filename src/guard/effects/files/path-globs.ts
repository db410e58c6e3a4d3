/**
 * Path classes that are lists of names, from the rules' `paths:`. Compiled once, when first asked for. `~` is the home, `*` stays
 * within a segment, `**` is any number of folders; a glob that begins with a name is meant from the project's root.
 */
import { PATHS } from '../../rules/compiled.ts';

/** One path in the forms that globs may be written for. */
export interface Forms {
  readonly absolute: string;
  /** `~/…`, if it is in a home. */
  readonly home: string | undefined;
  /** Without the project's root, if it is in the project. */
  readonly project: string | undefined;
}

type Form = keyof Forms;

interface Glob {
  readonly form: Form;
  /** Literal text that every match holds. */
  readonly needle: string;
  readonly matches: RegExp;
  /** Its segments, if it has no stars: what a pattern in a command may mean. `tail`: they may stand at the end of any path. */
  readonly plain: { readonly segments: readonly string[]; readonly tail: boolean } | undefined;
}

interface Compiled {
  /** Holds literal text of every glob: nearly all paths are done after this look. */
  readonly any: RegExp;
  readonly classes: readonly { readonly name: string; readonly is: readonly Glob[]; readonly not: readonly Glob[] }[];
}

/** Longer names no file system takes; so the globs' work stays small. */
const LONG_NAME = /[^/]{256}/;
const PATTERN = /[*?[]/;
let compiled: Compiled | undefined;

export function globClasses({ absolute, home, project }: Forms): readonly string[] {
  compiled ??= compile();
  const path = absolute.toLowerCase();
  const pattern = PATTERN.test(path);
  if (LONG_NAME.test(path) || !(pattern || compiled.any.test(path))) return [];
  const forms: Forms = { absolute: path, home: home?.toLowerCase(), project: project?.toLowerCase() };
  const means = pattern ? meaning(forms) : () => false;
  return compiled.classes
    .filter(({ is, not }) => is.some((glob) => fits(glob, forms) || means(glob)) && !not.some((glob) => fits(glob, forms)))
    .map(({ name }) => name);
}

function fits({ form, needle, matches }: Glob, forms: Forms): boolean {
  const path = forms[form];
  return path?.includes(needle) === true && matches.test(path);
}

/** `/etc/pass*` means `/etc/passwd`; a bare `*` means nothing in particular. */
function meaning({ absolute, home, project }: Forms): (glob: Glob) => boolean {
  const own = absolute.split('/').slice(1).map(segmentMeans);
  const length = {
    absolute: own.length,
    home: home === undefined ? -1 : home.split('/').length - 1,
    project: project?.split('/').length ?? -1,
  };
  return ({ form, plain }) => {
    if (plain === undefined) return false;
    const { segments, tail } = plain;
    if (tail ? own.length < segments.length : length[form] !== segments.length) return false;
    const from = own.length - segments.length;
    return segments.every((name, i) => own[from + i]?.(name) === true);
  };
}

/** Whether a segment of a path in a command, maybe with a pattern in it, can mean a name in particular. */
export function segmentMeans(written: string): (name: string) => boolean {
  const segment = written.toLowerCase();
  const open = PATTERN.test(segment) && segment.length <= 64 && /[^*?[\]!.]/.test(segment.replace(/\[[^\]]*\]/g, 'x'));
  if (!open) return (name) => name === segment;
  const source = segment.replace(/\[[^\]]*\]|[*?]|[^\w]/g, (part) =>
    part === '*' ? '[^/]*' : part === '?' || part.length > 1 ? '[^/]' : `\\${part}`,
  );
  const pattern = new RegExp(`^${source.replace(/(\[\^\/\]\*)+/g, '[^/]*')}$`);
  return (name) => pattern.test(name);
}

function compile(): Compiled {
  const all = Object.values(PATHS).flatMap(({ is }) => is.map(needleOf));
  return {
    any: new RegExp([...new Set(all)].map((needle) => needle.replace(/[^\w/-]/g, '\\$&')).join('|')),
    classes: Object.entries(PATHS).map(([name, { is, not }]) => ({ name, is: is.map(compileGlob), not: not.map(compileGlob) })),
  };
}

/** The longest text that every path the glob matches must hold. */
function needleOf(glob: string): string {
  const parts = glob.toLowerCase().replace(/^~/, '').split('*');
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '').replace(/^\/+|\/+$/g, '');
}

function compileGlob(written: string): Glob {
  const glob = written.toLowerCase();
  const rest = glob.replace(/^\*\*\//, '');
  const plain = rest.includes('*') ? undefined : { segments: rest.replace(/^~?\//, '').split('/'), tail: rest !== glob };
  return { form: formOf(glob), needle: needleOf(glob), matches: new RegExp(`^${sourceOf(glob)}$`), plain };
}

function formOf(glob: string): Form {
  return glob.startsWith('~') ? 'home' : /^(\/|\*\*\/)/.test(glob) ? 'absolute' : 'project';
}

function sourceOf(glob: string): string {
  return glob.replace(/^\*\*\/|\/\*\*\/|\/\*\*$|\*+|[^\w/~-]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '/**/') return '/(?:.*/)?';
    if (part === '/**') return '/.+';
    return part.startsWith('*') ? '[^/]*' : `\\${part}`;
  });
}
