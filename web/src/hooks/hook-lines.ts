/** One line for each hook: from the figures of the log, and from the files of the projects. */
import type { ConfiguredHook, HookFigures, HooksAnswer } from '../../../src/ui/api.ts';

export type HookState = 'error' | 'untrusted' | 'failing' | 'slow' | 'quiet' | 'disabled' | 'never' | 'well';

export interface HookLine {
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly file: string;
  readonly line: number | null;
  readonly scope: string;
  readonly state: HookState;
  /** Why it is in this state; empty if it is well. */
  readonly says: string;
  readonly figures: HookFigures | null;
}

export const STATE_WORDS: Readonly<Record<HookState, string>> = {
  error: 'Cannot run',
  untrusted: 'Not trusted',
  failing: 'Failing',
  slow: 'Slow',
  quiet: 'Went quiet',
  disabled: 'Disabled',
  never: 'Never asked',
  well: 'Healthy',
};
export const STATE_TONES: Readonly<Record<HookState, string>> = {
  ...{ error: 'fault', untrusted: 'hold', failing: 'fault', slow: 'hold', quiet: 'pass', disabled: 'pass', never: 'pass', well: 'allow' },
};
const ORDER: readonly HookState[] = ['failing', 'error', 'slow', 'untrusted', 'quiet', 'well', 'never', 'disabled'];

export function linesOf({ hooks, problems, configured }: HooksAnswer): readonly HookLine[] {
  const kinds = new Map<string, readonly string[]>();
  for (const { hook, kind, state } of problems) if (hook && state === 'open') kinds.set(hook.id, [...(kinds.get(hook.id) ?? []), kind]);
  const files = new Map(configured.map((one) => [one.id, one]));
  const asked = hooks.map((figures) => lineOf(figures, files.get(figures.id), kinds.get(figures.id) ?? []));
  const known = new Set(hooks.map(({ id }) => id));
  const others = [...files.values()].filter(({ id }) => !known.has(id)).map(unasked);
  return [...asked, ...others].sort(
    (a, b) =>
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (b.figures?.asked ?? 0) - (a.figures?.asked ?? 0) || a.name.localeCompare(b.name),
  );
}

function lineOf(figures: HookFigures, file: ConfiguredHook | undefined, kinds: readonly string[]): HookLine {
  const stopped = file && file.state !== 'active' ? file.state : null;
  const state: HookState =
    stopped ??
    (kinds.some((kind) => kind.startsWith('fault:'))
      ? 'failing'
      : kinds.includes('slow')
        ? 'slow'
        : kinds.includes('quiet')
          ? 'quiet'
          : figures.asked === 0 && figures.lastAskedAt === null
            ? 'never'
            : 'well');
  const { id, name, dialect, event, scope } = figures;
  return { id, name, dialect, event, file: figures.file, line: file?.line ?? figures.line, scope, state, says: file?.says ?? '', figures };
}

function unasked({ id, name, dialect, event, file, line, scope, state, says }: ConfiguredHook): HookLine {
  return { id, name, dialect, event, file, line, scope, state: state === 'active' ? 'never' : state, says, figures: null };
}
