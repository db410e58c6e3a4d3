/** Watches the follower of the views, so that a page says why it shows nothing new, and what to do about it. */
import { HooklineError } from '../core/values/errors.ts';
import { redactText } from '../core/values/redact.ts';
import type { Progress } from '../views/views.ts';
import type { Following } from './api.ts';

export interface Watch {
  stepped(progress: Progress): void;
  failed(error: unknown): void;
  /** How the follower is now. */
  look(): Following;
}

/** Fewer entries are read within a moment. */
const FEW = 1000;
/** A follower that is behind for a shorter time catches up before a person has read that it does not. */
const PATIENCE_MS = 3000;
const SILENT_MS = 15_000;
const WELL: Following = { state: 'well', since: null, says: '', hint: '' };
const GO_ON = 'Hooks decide as before, and each decision is recorded.';

export function watchFollower(now: () => number): Watch {
  let lastStepAt = now();
  let behindSince: number | undefined;
  let progress: Progress | undefined;
  let failure: { readonly since: number; readonly error: unknown } | undefined;
  return {
    stepped(latest) {
      progress = latest;
      lastStepAt = now();
      failure = undefined;
      behindSince = latest.head - latest.pos > FEW ? (behindSince ?? lastStepAt) : undefined;
    },
    failed(error) {
      failure = { since: failure?.since ?? now(), error };
      lastStepAt = now();
    },
    look() {
      if (failure) return failing(failure.error, failure.since);
      if (now() - lastStepAt > SILENT_MS) return silent(lastStepAt);
      if (progress && behindSince !== undefined && now() - behindSince > PATIENCE_MS) return behind(progress, behindSince);
      return WELL;
    },
  };
}

function failing(error: unknown, since: number): Following {
  const message = redactText(error instanceof Error ? error.message : String(error));
  const hint = error instanceof HooklineError && error.hint !== undefined ? `${redactText(error.hint)} ` : '';
  return {
    ...{ state: 'failing', since },
    says: `The dashboard cannot follow the log: ${message}`,
    hint: `${hint}It tries again. ${GO_ON} If it stays so, run \`hookline doctor\`.`,
  };
}

function silent(since: number): Following {
  return {
    ...{ state: 'silent', since },
    says: 'The dashboard waits for its store, which does not answer.',
    hint: `${GO_ON} Look whether the disk or the database is busy, or stop the dashboard and run \`hookline ui\` again.`,
  };
}

function behind({ pos, head }: Progress, since: number): Following {
  return {
    ...{ state: 'behind', since },
    says: `The dashboard has read ${pos.toLocaleString('en')} of ${head.toLocaleString('en')} entries of the log, so what is shown is older.`,
    hint: `It reads on. ${GO_ON}`,
  };
}
