/**
 * Prepares the text that hooks add to the agent's context, before it is folded. Each text carries the name of its hook and is cut to the limits.
 * Invisible characters are removed from text that comes with a project. Every cut leaves a mark and a diagnostic.
 */

import type { Limits } from '../../core/contracts/handler.ts';
import type { Hook, Scope } from '../../core/contracts/hook.ts';
import type { ContextSource, Effect, Verdict } from '../../core/decision/decision.ts';
import type { FoldState } from '../../core/decision/fold.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';

export interface ContextRules {
  readonly limits: Limits;
  /** Whether text from hooks that come with a project, plugin or skill is wrapped in a frame that names them. */
  readonly markContext: boolean;
}

/** The space for context in one firing. */
export class ContextRoom {
  readonly #rules: ContextRules;
  #left: number;

  /** `before`: the verdicts before the action was held. */
  constructor(rules: ContextRules, before: FoldState) {
    this.#rules = rules;
    this.#left = [...before.contextStart, ...before.contextEnd].reduce((left, text) => left - text.length, rules.limits.totalContext);
  }

  /** Returns the part of a hook's context that fits. Adds a diagnostic for each text that was cut or cleaned. */
  admit(hook: Hook, verdict: Verdict, diagnostics: Diagnostic[]): Verdict {
    if (!addsContext(verdict)) return verdict;
    const from: ContextSource = { hook: hook.id, name: hook.name, dialect: hook.dialect, scope: hook.source.scope };
    const isForeign = FOREIGN.includes(hook.source.scope);
    let own = this.#rules.limits.hookContext;
    const effects = verdict.effects.map((effect): Effect => {
      if (effect.kind !== 'context') return effect;
      const seen = isForeign ? withoutHidden(effect.text, hook, diagnostics) : effect.text;
      const fitting = cut(seen, Math.min(own, this.#left));
      if (fitting.length < seen.length) diagnostics.push(wasCut(hook, fitting.length, seen.length, own <= this.#left));
      own -= fitting.length;
      this.#left -= fitting.length;
      const text = fitting.length < seen.length ? `${fitting}… (cut by Hookline: ${fitting.length} of ${seen.length} characters)` : seen;
      return { ...effect, text: isForeign && this.#rules.markContext ? framed(text, hook) : text, from };
    });
    return { decision: verdict.decision, effects };
  }
}

export function addsContext({ effects }: Verdict): boolean {
  return effects.some(({ kind }) => kind === 'context');
}

/** Scopes of hooks that come with the files the agent works on, and not from its user. */
const FOREIGN: readonly Scope[] = ['project', 'plugin', 'skill'];

/** Cuts a text, but never between the two halves of a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = Math.max(most, 0);
  const last = text.charCodeAt(room - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? room - 1 : room);
}

function wasCut({ name, source }: Hook, kept: number, whole: number, byHook: boolean): Diagnostic {
  const limit = byHook ? 'one hook may add' : 'all hooks of one event may add together';
  return {
    severity: 'warning',
    code: 'context-cut',
    file: source.file,
    ...(source.line !== undefined && { line: source.line }),
    message: `Hook \`${name}\` added more context than ${limit}; ${kept} of ${whole} characters were kept.`,
    hint: 'Add only the text that the agent needs now, and name a file for the rest.',
  };
}

/** Zero-width characters, bidi controls and tags, which a model reads and a person does not see. */
const HIDDEN = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

function withoutHidden(text: string, { name, source }: Hook, diagnostics: Diagnostic[]): string {
  const found = text.match(HIDDEN);
  if (found === null) return text;
  const points = [...new Set(found)].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const shown = points.length > 5 ? `${points.slice(0, 5).join(', ')}, …` : points.join(', ');
  diagnostics.push({
    severity: 'warning',
    code: 'hidden-context',
    file: source.file,
    ...(source.line !== undefined && { line: source.line }),
    message: `Hook \`${name}\` added context with invisible characters (${found.length}: ${shown}). They were removed.`,
    hint: 'Check the output of the hook. Hidden text can instruct the agent without its user noticing.',
  });
  return text.replace(HIDDEN, '');
}

/** Wraps the text so that it can neither close the frame nor open another one. */
function framed(text: string, { name, source }: Hook): string {
  const inside = text.replace(/<(?=[\s/]*hook-context)/gi, '&lt;');
  return `<hook-context source="${quoted(`${name} (${source.file})`)}">${inside}</hook-context>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function quoted(text: string): string {
  return text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one).replace(/\s+/g, ' ');
}
