/**
 * Path classes that are lists of names, from `paths:` in the rules. They are compiled on first use. `~` is the home, `*` stays within a
 * segment and `**` matches any number of folders. A glob that starts with a name is relative to the project's root.
 */
import { lazily } from '../../lazily.ts';
import { pathClasses } from '../../rules/compiled.ts';
import { classesNeeding } from '../../rules/needles.ts';
import type { PathGlobs } from '../../rules/rule.ts';
import { needleOf } from './needle.ts';

/** One path in the forms that a glob can use. */
export interface Forms {
  readonly absolute: string;
  /** `~/…`, if the path is in a home. */
  readonly home: string | undefined;
  /** Relative to the project's root, if the path is in the project. */
  readonly project: string | undefined;
}

type Form = keyof Forms;

interface Glob {
  readonly form: Form;
  /** Literal text that every match contains. */
  readonly needle: string;
  readonly matches: () => RegExp;
  /** The segments of a glob without stars, because a pattern in a command can match them. `tail`: they match at the end of any path. */
  readonly plain: { readonly segments: readonly string[]; readonly tail: boolean } | undefined;
}

interface PathClass {
  readonly is: readonly Glob[];
  readonly not: readonly Glob[];
}

/** No file system accepts a longer name. The limit keeps matching fast. */
const LONG_NAME = /[^/]{256}/;
const PATTERN = /[*?[]/;
/** A pattern that states nothing but the ending of a name. */
const ENDING = /^\*+\.[a-z]\w*$/;
const classes = lazily(() => Object.entries(pathClasses()).map(([name, globs]) => ({ name, globs: lazily(() => compileClass(globs)) })));

export function globClasses({ absolute, home, project }: Forms): readonly string[] {
  const path = absolute.toLowerCase();
  const pattern = PATTERN.test(path);
  const possible = classesNeeding(path);
  if ((possible.length === 0 && !pattern) || LONG_NAME.test(path)) return NONE;
  const forms: Forms = { absolute: path, home: home?.toLowerCase(), project: project?.toLowerCase() };
  const means = pattern ? meaning(forms) : undefined;
  const found: string[] = [];
  for (const { name, globs } of classes()) {
    const fitting = possible.includes(name);
    if (!fitting && means === undefined) continue;
    const { is, not } = globs();
    if (is.some((glob) => (fitting && fits(glob, forms)) || means?.(glob)) && !not.some((glob) => fits(glob, forms))) found.push(name);
  }
  return found;
}

const NONE: readonly string[] = [];

function compileClass({ is, not }: PathGlobs): PathClass {
  return { is: is.map(compileGlob), not: not.map(compileGlob) };
}

function fits({ form, needle, matches }: Glob, forms: Forms): boolean {
  const path = forms[form];
  return path?.includes(needle) === true && matches().test(path);
}

/**
 * Returns a test for globs that a pattern can match. `/etc/pass*` matches `/etc/passwd`. A bare `*` matches no glob, because it names
 * nothing in particular. `docs/*.md` matches no name that is looked for in every folder, because it means the documents of a folder,
 * unless the folder is hidden, as those of agents are.
 */
function meaning({ absolute, home, project }: Forms): (glob: Glob) => boolean {
  const written = absolute.split('/').slice(1);
  const own = written.map(segmentMeans);
  const ordinary = !(project ?? absolute).includes('/.') && !project?.startsWith('.');
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
    if (tail && ordinary && written.slice(from).every((segment) => ENDING.test(segment))) return false;
    return segments.every((name, i) => own[from + i]?.(name) === true);
  };
}

/** Returns a test for names that a path segment in a command can match. The segment may contain a pattern. */
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

function compileGlob(written: string): Glob {
  const glob = written.toLowerCase();
  const rest = glob.replace(/^\*\*\//, '');
  const plain = rest.includes('*') ? undefined : { segments: rest.replace(/^~?\//, '').split('/'), tail: rest !== glob };
  return { form: formOf(glob), needle: needleOf(glob), matches: lazily(() => new RegExp(`^${sourceOf(glob)}$`)), plain };
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
