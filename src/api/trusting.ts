/** All about trust in one engine: who may run, what must be able to judge, and what is said once. */
import { DIALECTS } from '../builtins.ts';
import { openSaidOnce } from '../config/said-once.ts';
import type { Settings } from '../config/settings.ts';
import { openTrust } from '../config/trust.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Dialect } from '../core/dialect.ts';
import type { Hook } from '../core/hook.ts';
import type { Flaw, Terms } from '../engine/hook-set.ts';
import type { Ports } from '../engine/ports.ts';
import { createAdmission } from './admission.ts';
import { NAMELESS_SESSION } from './events.ts';
import type { HooklineOptions, ResolvedPlaces } from './options.ts';
import { createPins } from './pins.ts';
import type { LoadedSources, Sources } from './sources.ts';

export interface Trusting {
  readonly admit: Ports['admit'];
  readonly isFirst: NonNullable<Ports['isFirst']>;
  /** What is asked of the hooks that were just loaded, and what there is to say about trust in them. */
  review(loaded: LoadedSources): Promise<{ readonly terms: Terms; readonly diagnostics: readonly Diagnostic[] }>;
}

export function createTrusting(options: HooklineOptions, settings: Settings, places: ResolvedPlaces, sources: Sources): Trusting {
  const { root, stateFolder } = places;
  const trust = openTrust(stateFolder);
  const pins = typeof options.trust === 'object' ? createPins(options.trust, root) : undefined;
  let mayTrust = true;
  const admit = createAdmission({
    trustAll: options.trust === 'all',
    allowSkipAudit: options.audit?.allowSkip ?? settings.audit?.allowSkip ?? false,
    waivers: settings.audit?.waivers ?? [],
    trust,
    pins,
    root,
    mayTrust: () => mayTrust,
    isTrustedPlace: sources.isTrustedPlace,
    dialectOf: (hook) => DIALECTS.find(({ id }) => id === hook.dialect) as Dialect,
  });

  /** A hook of the project answers for a name only if it may run: whoever brings a hook of that name has not brought what is missing. */
  const missing = async (name: string, hooks: readonly Hook[]): Promise<Flaw[]> => {
    const named = hooks.filter((hook) => hook.name === name);
    if (named.some(sources.isTrustedPlace)) return [];
    let why = 'there is no hook of this name';
    let mend = 'Put it back, or take its name off the list of required hooks.';
    for (const hook of named) {
      const admission = await admit(hook, root);
      if (admission.admitted) return [];
      ({ skip: why, mend } = admission);
    }
    const message = `Hook \`${name}\` is required, and nothing goes ahead without it: ${why}.`;
    const diagnostic: Diagnostic = { severity: 'error', code: 'required-hook', message, hint: mend };
    return [{ by: `the required hook ${name}`, diagnostic, unless: name }];
  };

  return {
    admit,
    isFirst: openSaidOnce(stateFolder, root, NAMELESS_SESSION),
    async review({ hooks, policy, flaws }) {
      mayTrust = policy.trust !== 'never';
      const required = new Set([...(settings.required ?? []), ...(policy.required ?? [])]);
      const absent = await Promise.all([...required].map((name) => missing(name, hooks)));
      const diagnostics = [...(trust.problem ? [trust.problem] : []), ...(pins?.unmatched(hooks) ?? [])];
      return { terms: { required, flaws: [...flaws, ...absent.flat()] }, diagnostics };
    },
  };
}
