/** The hooks of files for a manager. The engine reads them, checks trust and audits them, and runs each; the manager merges their outputs. */

import { dialect } from '../../agents/claude-agent/dialect.ts';
import { canBlock, EVENT_NAMES, isEventName } from '../../agents/claude-agent/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { READ_AS } from '../../load/load-hooks.ts';
import { openHookline } from '../create-hookline.ts';
import type { HooklineOptions } from '../options.ts';
import type { Hook, HookFault } from './hook.ts';
import type { HookEvent } from './hook-input.ts';
import { HookOutput } from './hook-output.ts';
import { outputOfVerdict } from './verdict-output.ts';

/** Where files are looked for besides the folder, and whether a project's hooks must be trusted by a person (default: no, `all`). */
export type LoadOptions = Pick<HooklineOptions, 'home' | 'skills' | 'plugins' | 'trust' | 'strict' | 'policy' | 'environment'>;

export interface LoadedHooks {
  readonly hooks: readonly Hook[];
  readonly diagnostics: readonly Diagnostic[];
  close(): Promise<unknown>;
}

export async function loadHooks(root: string, options: LoadOptions, report: (fault: HookFault) => void): Promise<LoadedHooks> {
  const { home, skills, plugins, trust = 'all', strict, policy, environment } = options;
  const { hookline, single } = await openHookline({
    ...{ root, trust, dialects: [dialect.id], store: 'memory:' },
    ...(home !== undefined && { home }),
    ...(skills && { skills }),
    ...(plugins && { plugins }),
    ...(strict !== undefined && { strict }),
    ...(policy !== undefined && { policy }),
    ...(environment && { environment }),
  });
  const listed = await hookline.list();
  // The caller chose the format, so there is no doubt how a file was read.
  const diagnostics = listed.diagnostics.filter(({ code }) => code !== READ_AS);
  const found = single.hooks().filter((hook) => hook.dialect === dialect.id && hook.enabled);
  const hooks = found.map((hook): Hook => {
    const events: HookEvent[] = isEventName(hook.event) ? [hook.event] : [];
    return {
      name: hook.name,
      events,
      timeoutSecs: hook.timeoutMs / 1000,
      priority: hook.priority,
      async execute(input, { signal, cwd = root, env, sessionId }) {
        const event = input.eventType();
        const fired = { dialect: dialect.id, event, payload: input.payload() };
        const given = { session: input.sessionId || sessionId, cwd, signal, environment: { ...process.env, ...env } };
        const asked = await single.ask(hook, fired, given);
        if (!asked) return undefined;
        const { report: told, verdict } = asked;
        const fault = (kind: HookFault['kind'], detail: string): void => report({ hook: hook.name, event, kind, detail });
        if (told.fault) fault('failed', `${told.fault.kind}: ${told.fault.detail}`);
        if (told.skip !== undefined) fault('not-asked', `was not asked: ${told.skip}`);
        return verdict && outputOfVerdict(verdict);
      },
    };
  });
  return { hooks: [...missingProtections(single.missing()), ...hooks], diagnostics, close: () => hookline.close() };
}

/** A protection that the user or the machine requires and that is not there blocks what it would judge, as it does in the engine. */
function missingProtections(missing: readonly { readonly by: string; readonly diagnostic: Diagnostic }[]): Hook[] {
  return missing.map(({ by, diagnostic }) => ({
    name: by,
    events: EVENT_NAMES.filter(canBlock),
    priority: Number.MAX_SAFE_INTEGER,
    execute: () => HookOutput.block(diagnostic.message),
  }));
}
