/** Reads files of tasks and returns the commands that the wanted tasks run, with the tasks that they need first. */
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../../../core/values/json.ts';
import { UNKNOWN } from '../../shell/marks.ts';
import type { TaskTool } from '../files.ts';
import { globbed, isFile, isGlob, textOf } from './lookup.ts';
import { readManifest } from './modules.ts';
import type { Unknown } from './reached.ts';

export interface TaskCommand {
  /** Shell code. */
  readonly text: string;
  readonly line: number;
}

export interface Tasks {
  readonly commands: readonly TaskCommand[];
  /** Further files of tasks that the file includes. */
  readonly files: readonly string[];
  readonly unknown: readonly Unknown[];
}

const MOST_TASKS = 100;
const MOST_FILES = 20;
const MOST_EXPANDED = 1024 * 1024;

export function readTasks(tool: TaskTool, path: string, text: string, targets: readonly string[], cwd: string): Tasks {
  if (tool === 'scripts') return readScripts(path, text, targets);
  if (tool === 'task') return readYamlTasks(text, path);
  return readRules(tool, path, text, targets, cwd);
}

/** The scripts of a package, with those that run before and after them. */
function readScripts(path: string, text: string, targets: readonly string[]): Tasks {
  const scripts = readManifest(path)?.['scripts'];
  const known = isObject(scripts) ? scripts : {};
  const searched = `export PATH=${quote(join(dirname(path), 'node_modules', '.bin'))}:"$PATH"\n`;
  const commands = targets.flatMap((target) => {
    const names = [`pre${target}`, target, `post${target}`].filter((name) => typeof known[name] === 'string');
    const own = names.map((name) => ({ text: `${searched}${String(known[name])}`, line: lineOf(text, name) }));
    // `yarn lint` without such a script runs an installed program.
    return own.length > 0 ? own : [{ text: `npx --no-install ${quote(target)}`, line: 1 }];
  });
  return { commands, files: [], unknown: [] };
}

function lineOf(text: string, name: string): number {
  const at = text.search(new RegExp(`"${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}"\\s*:`));
  return at === -1 ? 1 : text.slice(0, at).split('\n').length;
}

/** Every command of a Taskfile. The file is not parsed, so its tasks are not told apart. */
function readYamlTasks(text: string, path: string): Tasks {
  const commands: TaskCommand[] = [];
  const files: string[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, indent = '', key, value = ''] = /^(\s*)(?:-\s+)?(?:(cmd|sh|defer|cmds|taskfile)\s*:\s*)?(.*)$/.exec(line) ?? [];
    const isItem = /^\s*-\s+/.test(line) && !/^\s*-\s+\w+\s*:(\s|$)/.test(line);
    if (key === 'taskfile') files.push(resolve(dirname(path), unquoted(value)));
    else if (/^[|>][-+]?$/.test(value.trim()) && (key !== undefined || isItem)) {
      const body: string[] = [];
      for (
        let at = index + 1;
        at < lines.length && (lines[at]?.trim() === '' || (/^\s*/.exec(lines[at] ?? '')?.[0].length ?? 0) > indent.length);
        at++
      )
        body.push(lines[at] ?? '');
      commands.push({ text: body.join('\n'), line: index + 1 });
    } else if ((key !== undefined || isItem) && value.trim() !== '') commands.push({ text: templated(unquoted(value)), line: index + 1 });
    const [, included] = /^\s+\w[\w-]*:\s*(\.{0,2}\/\S+\.ya?ml|\S*[Tt]askfile\S*)\s*$/.exec(line) ?? [];
    if (included !== undefined) files.push(resolve(dirname(path), unquoted(included)));
  }
  return { commands: commands.slice(0, MOST_TASKS * 4), files: files.filter(isFile), unknown: [] };
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function templated(text: string): string {
  return text.replace(/\{\{[^}]*\}\}/g, UNKNOWN);
}

interface Rule {
  readonly target: string;
  readonly needs: readonly string[];
  readonly body: readonly TaskCommand[];
}

interface Rules {
  readonly rules: Rule[];
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  readonly files: Set<string>;
  readonly always: TaskCommand[];
  /** How many characters of variables may still be put in. A few lines can name each other so often that no memory holds the text. */
  left: number;
}

/** Reads a Makefile or a justfile: rules with the rules that they need, and lines below them that are indented. */
function readRules(tool: 'make' | 'just', path: string, text: string, targets: readonly string[], cwd: string): Tasks {
  const found: Rules = {
    rules: [],
    variables: new Map([
      ['MAKE', 'make'],
      ['CURDIR', cwd],
      ['SHELL', '/bin/sh'],
    ]),
    exported: new Set(),
    files: new Set(),
    always: [],
    left: MOST_EXPANDED,
  };
  const given = targets.flatMap((word) => (/^([\w.]+)=(.*)$/s.exec(word)?.slice(1, 3) as [string, string] | undefined) ?? []);
  parseRules(tool, path, text, cwd, found);
  for (let at = 0; at + 1 < given.length; at += 2) found.variables.set(given[at] ?? '', given[at + 1] ?? '');
  const named = targets.filter((word) => !word.startsWith('-') && !/^[\w.]+:?=/.test(word));
  const wanted =
    named.length > 0 ? named : [found.rules.find(({ target }) => !target.startsWith('.') && !target.includes('%'))?.target ?? ''];
  const commands = [...found.always];
  const unknown: Unknown[] = [];
  const seen = new Set<string>();
  const queue = [...wanted];
  for (const target of queue) {
    if (seen.has(target) || seen.size > MOST_TASKS) continue;
    seen.add(target);
    const rules = found.rules.filter((rule) => fits(rule.target, target));
    // The words after a recipe of `just` are its arguments, which need no recipe of their own.
    if (rules.length === 0 && wanted.includes(target) && target !== '' && !(tool === 'just' && seen.size > 1))
      unknown.push({ what: `${tool} ${target}`, why: 'the file has no such task', line: 1 });
    for (const { needs, body } of rules) {
      const names = needs.flatMap((need) => expandWords(need, found, target, []));
      queue.push(...names);
      commands.push(...body.map(({ text: code, line }) => ({ text: `${prefix(found)}${expand(code, found, target, names)}`, line })));
    }
  }
  const shell = found.variables.get('SHELL');
  if (shell !== undefined && shell !== '/bin/sh') commands.push({ text: `${expand(shell, found, '', [])} -c true`, line: 1 });
  return { commands, files: [...found.files], unknown };
}

function fits(rule: string, target: string): boolean {
  if (!rule.includes('%')) return rule === target;
  const [before = '', after = ''] = rule.split('%');
  return target.startsWith(before) && target.endsWith(after) && rule !== '%';
}

function parseRules(tool: 'make' | 'just', path: string, text: string, cwd: string, found: Rules): void {
  const lines = text.split('\n');
  let rules: { target: string; needs: string[]; body: TaskCommand[] }[] = [];
  let fixed = '';
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    let code = lines[at] ?? '';
    while (/\\$/.test(code) && at + 1 < lines.length) code = `${code}\n${lines[++at] ?? ''}`;
    if (/^(\t| +\S)/.test(code) && rules.length > 0 && (tool === 'just' || code.startsWith('\t'))) {
      const body = code.replace(/^\s+/, '');
      if (tool === 'just' && (fixed !== '' || body.startsWith('#!'))) {
        // A recipe that begins with an interpreter line is one script.
        fixed ||= body;
        const last = rules[0]?.body.at(-1);
        for (const rule of rules)
          rule.body.splice(0, rule.body.length, { text: last === undefined ? body : `${last.text}\n${body}`, line: last?.line ?? line });
      } else for (const rule of rules) rule.body.push({ text: body.replace(/^[@+\-\s]+/, ''), line });
      continue;
    }
    const plain = code
      .replaceAll('\\\n', ' ')
      .replace(/(^|\s)#.*$/s, '')
      .trimEnd();
    if (plain.trim() === '') continue;
    const included = (tool === 'make' ? /^\s*(?:-|s)?include\s+(.+)$/ : /^\s*(?:import|mod)\??\s+(.+)$/).exec(plain)?.[1];
    if (included !== undefined) {
      rules = [];
      for (const word of expandWords(unquoted(included), found, '', [])) include(tool, path, unquoted(word), cwd, found);
      continue;
    }
    const variable = /^\s*(export\s+|override\s+)*([\w.-]+)\s*(:::?|[?+!:])?=\s*(.*)$/s.exec(plain);
    if (variable && !/^\s/.test(plain.slice(0, 1).replace(/\t/, ' '))) {
      const [, exports = '', name = '', sign = '', value = ''] = variable;
      found.variables.set(name, sign === '+' ? `${found.variables.get(name) ?? ''} ${value}` : tool === 'just' ? unquoted(value) : value);
      if (exports.includes('export')) found.exported.add(name);
      collect(value, line, tool, found);
      rules = [];
      continue;
    }
    if (/^export\s+[\w\s]+$/.test(plain)) for (const name of plain.split(/\s+/).slice(1)) found.exported.add(name);
    const rule =
      tool === 'make' ? /^([^\t:=#][^:=#]*?)\s*::?\s*(?!=)([^;]*)(?:;(.*))?$/s.exec(plain) : /^@?([\w-]+)[^:]*:(?!=)([^\n]*)$/.exec(plain);
    fixed = '';
    if (!rule) {
      collect(plain, line, tool, found);
      continue;
    }
    const [, names = '', needs = '', inline = ''] = rule;
    const words = needs
      .replace(/^[^=]*:(?!=)/, '')
      .replace(/[|()&]/g, ' ')
      .split(/\s+/)
      .filter(Boolean);
    rules = expandWords(names, found, '', []).map((target) => ({
      target,
      needs: words,
      body: inline.trim() === '' ? [] : [{ text: inline.trim(), line }],
    }));
    found.rules.push(...rules);
  }
}

/** Notes the commands that run while the file is read. */
function collect(value: string, line: number, tool: 'make' | 'just', found: Rules): void {
  const pattern = tool === 'make' ? /\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]/g : /`([^`]+)`/g;
  for (const [, code = ''] of value.matchAll(pattern)) found.always.push({ text: expand(code, found, '', []), line });
}

function include(tool: 'make' | 'just', path: string, word: string, cwd: string, found: Rules): void {
  const full = resolve(tool === 'make' ? cwd : dirname(path), word);
  const files = isGlob(full) ? globbed(full).paths : [full, join(full, 'mod.just'), `${full}.just`];
  for (const file of files.filter(isFile)) {
    if (found.files.has(file) || found.files.size > MOST_FILES) continue;
    found.files.add(file);
    parseRules(tool, file, textOf(file) ?? '', cwd, found);
  }
}

function expandWords(text: string, found: Rules, target: string, needs: readonly string[]): readonly string[] {
  return expand(text, found, target, needs).split(/\s+/).filter(Boolean);
}

/** Replaces the variables of a text. A function that is not known gives unknown text. */
function expand(text: string, found: Rules, target: string, needs: readonly string[], depth = 0): string {
  if (depth > 8) return text;
  const again = (value: string): string => {
    found.left -= value.length + 1;
    return found.left < 0 ? UNKNOWN : expand(value, found, target, needs, depth + 1);
  };
  return text
    .replace(/\{\{\s*([^}]*?)\s*\}\}/g, (_, name: string) => {
      if (/^justfile_directory\(\)$/.test(name)) return found.variables.get('CURDIR') ?? UNKNOWN;
      return found.variables.has(name) ? again(found.variables.get(name) ?? '') : UNKNOWN;
    })
    .replace(/\$\$|\$[({]((?:[^(){}]|\([^()]*\)|\{[^{}]*\})*)[)}]|\$([@<^?*%+])/g, (all, name?: string, sign?: string) => {
      if (all === '$$') return '$';
      if (sign !== undefined)
        return { '@': target, '<': needs[0] ?? '', '^': needs.join(' '), '+': needs.join(' '), '?': needs.join(' ') }[sign] ?? UNKNOWN;
      const inner = name ?? '';
      // `PATH := ./bin:$(PATH)` adds to the value that the environment has.
      if (found.variables.has(inner))
        return again((found.variables.get(inner) ?? '').replace(new RegExp(`\\$[({]${inner}[)}]`, 'g'), `$\${${inner}}`));
      const [, called = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(inner) ?? [];
      if (/^(wildcard|abspath|realpath|strip|sort)$/.test(called)) return again(rest);
      // Without a value a variable of make is one of the environment, or empty.
      return /^[A-Z_][A-Z0-9_]*$/.test(inner) ? `\${${inner}}` : UNKNOWN;
    });
}

function prefix(found: Rules): string {
  return [...found.exported]
    .map((name) => `export ${name}=${shellValue(expand(found.variables.get(name) ?? '', found, '', []))}\n`)
    .join('');
}

function shellValue(value: string): string {
  return `"${value.replace(/["`\\]/g, '\\$&')}"`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
