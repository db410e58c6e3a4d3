/** Resolves the names of modules by the rules of their language, as far as the modules are files of the project. */
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, objectIn } from '../../../core/values/json.ts';
import type { FollowedFile } from '../files.ts';
import { firstFile, foldersUpTo, isFile, isFolder, realOf, textOf } from './lookup.ts';
import { imported, part } from './reached.ts';

/**
 * Returns the files of a Python module: its packages and itself. Undefined: none of these folders has it, so it is not of the project.
 *
 * @param isRun Whether it is run with `-m` and not imported.
 */
export function pythonModule(name: string, folders: readonly string[], isRun = false): readonly string[] | undefined {
  const parts = name.split('.').filter(Boolean);
  if (parts.length === 0 || !parts.every((one) => /^\w+$/.test(one))) return undefined;
  return folders.map((folder) => moduleFiles(parts, folder, isRun)).find((files) => files.length > 0);
}

function moduleFiles(parts: readonly string[], folder: string, isRun: boolean): readonly string[] {
  const files: string[] = [];
  let at = folder;
  for (const one of parts) {
    const file = join(at, `${one}.py`);
    at = join(at, one);
    if (isFile(join(at, '__init__.py'))) files.push(join(at, '__init__.py'));
    else if (isFile(file)) files.push(file);
  }
  if (isRun && isFile(join(at, '__main__.py'))) files.push(join(at, '__main__.py'));
  return files;
}

const SCRIPT_ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.jsx', '.tsx', '.node'];
const INDEX = ['index.js', 'index.mjs', 'index.cjs', 'index.ts', 'index.mts', 'index.tsx', 'index.json', 'index.node'];

/** Returns the files that a JavaScript path names: the file, or the start of a folder. */
export function scriptAt(path: string): readonly FollowedFile[] {
  const file = SCRIPT_ENDINGS.map((ending) => `${path}${ending}`).find(isFile) ?? tsFor(path);
  if (file !== undefined) return [imported(file)];
  if (!isFolder(path)) return [];
  const manifest = join(path, 'package.json');
  const mains = isFile(manifest) ? mainsOf(manifest).flatMap((main) => scriptAt(resolve(path, main))) : [];
  const index = firstFile(path, INDEX);
  return [...(isFile(manifest) ? [part(manifest)] : []), ...mains, ...(index === undefined ? [] : [imported(index)])];
}

function tsFor(path: string): string | undefined {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return source !== path && isFile(source) ? source : undefined;
}

function mainsOf(manifest: string): readonly string[] {
  const value = readManifest(manifest);
  const main = value?.['main'];
  return [...(typeof main === 'string' && main !== '.' && main !== './' ? [main] : []), ...textsIn(value?.['exports'], 0)].filter(
    (one) => !one.includes('*'),
  );
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value.startsWith('./') ? [value] : [];
  return isObject(value) && depth < 6 ? Object.values(value).flatMap((item) => textsIn(item, depth + 1)) : [];
}

export function readManifest(file: string): Readonly<Record<string, unknown>> | undefined {
  return objectIn(textOf(file) ?? '');
}

/** Returns what the name of a JavaScript module stands for. A package is covered as a folder, and its code is not judged. */
export function scriptModule(name: string, folder: string, root: string): readonly FollowedFile[] {
  if (name.startsWith('file:')) return scriptAt(pathOf(name));
  if (/^\.{1,2}(\/|$)/.test(name) || isAbsolute(name)) return scriptAt(resolve(folder, name));
  if (process.getBuiltinModule('node:module').isBuiltin(name) || /^[a-z]+:/.test(name)) return [];
  const above = foldersUpTo(folder, root);
  if (name.startsWith('#')) return aliased(name, above);
  const [first = '', second] = name.split('/');
  const owner = first.startsWith('@') && second !== undefined ? `${first}/${second}` : first;
  const found = above.map((one) => join(one, 'node_modules', owner)).find(isFolder);
  return found === undefined ? [] : [{ path: found, cwd: '', how: 'package' }];
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Resolves `#name` by the `imports` of the nearest package. */
function aliased(name: string, above: readonly string[]): readonly FollowedFile[] {
  const manifest = above.map((one) => join(one, 'package.json')).find(isFile);
  const imports = manifest === undefined ? undefined : readManifest(manifest)?.['imports'];
  if (manifest === undefined || !isObject(imports)) return [];
  const targets = Object.entries(imports).flatMap(([key, value]) => {
    if (key === name) return textsIn(value, 0);
    const [before = '', after] = key.split('*');
    const inner =
      after !== undefined && name.startsWith(before) && name.endsWith(after) ? name.slice(before.length, name.length - after.length) : '';
    return inner === '' ? [] : textsIn(value, 0).map((target) => target.replaceAll('*', inner));
  });
  return [part(manifest), ...targets.flatMap((target) => scriptAt(resolve(dirname(manifest), target)))];
}

/** Returns the folder of the package that a file in `node_modules` belongs to. */
export function packageOf(path: string): string | undefined {
  const real = realOf(path);
  const mark = `${sep}node_modules${sep}`;
  const at = real.lastIndexOf(mark);
  if (at === -1) return undefined;
  const [first = '', second = ''] = real.slice(at + mark.length).split(sep);
  if (first.startsWith('.')) return undefined;
  return real.slice(0, at + mark.length) + (first.startsWith('@') ? join(first, second) : first);
}

/** Returns the folders of the packages that a package depends on, as far as they are installed. */
export function dependenciesOf(folder: string, root: string): readonly string[] {
  const manifest = readManifest(join(folder, 'package.json'));
  const names = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((key) => {
    const value = manifest?.[key];
    return isObject(value) ? Object.keys(value) : [];
  });
  const above = foldersUpTo(folder, root);
  return names.flatMap((name) => above.map((one) => join(one, 'node_modules', name)).find(isFolder) ?? []);
}
