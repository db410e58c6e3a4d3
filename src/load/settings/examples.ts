/** The examples of the rules of one's own, each with its position, so that a failed one can be found. */
import { dirname, resolve } from 'node:path';
import type { AuthoredRule, Protection } from '../../core/contracts/guard-settings.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Document, fieldOf, type Node } from '../../core/values/document.ts';
import { problemsIn } from '../../core/values/read-document.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { readProtection, readRule, readRuleDocument, ruleNodes } from './authored.ts';

/** A rule of one's own, or a protection with its glob. */
export type Authored = { readonly rule: AuthoredRule } | { readonly glob: string; readonly protection: Protection };

export interface RuleExample {
  readonly of: Authored;
  readonly expect: 'block' | 'allow';
  readonly command: string;
  readonly file: string;
  readonly at: Position;
}

/** Returns the examples in a settings file and in the files of rules that it names. Parts that cannot be used have none. */
export async function readExamples(file: string): Promise<readonly RuleExample[]> {
  const read = readText(file);
  if (read === undefined || 'problem' in read) return [];
  const { root }: Document = await (await loadFormat('json'))(file, read.text);
  const guard = fieldOf(root, 'guard');
  const [protect, rules] = [fieldOf(guard, 'protect'), fieldOf(guard, 'rules')];
  const found: RuleExample[] = [];
  for (const { key, at, value } of protect?.kind === 'map' ? protect.entries : []) {
    const protection = readProtection(key, at, value, problemsIn(file));
    if (protection) found.push(...examplesOf(value, { glob: key, protection }, file));
  }
  for (const item of rules?.kind === 'list' ? rules.items : []) {
    if (item.kind === 'scalar' && typeof item.value === 'string') found.push(...(await examplesInFile(resolve(dirname(file), item.value))));
    else found.push(...examplesOfRule(item, file));
  }
  return found;
}

async function examplesInFile(file: string): Promise<readonly RuleExample[]> {
  return ruleNodes(await readRuleDocument(file), problemsIn(file)).flatMap((node) => examplesOfRule(node, file));
}

function examplesOfRule(node: Node, file: string): readonly RuleExample[] {
  const rule = readRule(node, problemsIn(file));
  return rule === undefined ? [] : examplesOf(node, { rule }, file);
}

function examplesOf(node: Node, of: Authored, file: string): readonly RuleExample[] {
  const tests = fieldOf(node, 'tests');
  return (['block', 'allow'] as const).flatMap((expect) => {
    const list = tests && fieldOf(tests, expect);
    return (list?.kind === 'list' ? list.items : []).flatMap((item): readonly RuleExample[] =>
      item.kind === 'scalar' && typeof item.value === 'string' ? [{ of, expect, command: item.value, file, at: item.at }] : [],
    );
  });
}
