/** What in the files of Codex keeps hooks from running: its user's wish for each, the feature as a whole, whoever manages the machine. */

import type { Document } from '../../core/document.ts';
import { entryOf, fieldOf, type Node } from '../../core/document.ts';
import type { Hook, Scope } from '../../core/hook.ts';
import type { Complaints } from '../../core/loading.ts';
import { off, type Switch, switchAt } from '../../core/switch.ts';
import { hookKey } from './hook-key.ts';

export function switchesIn({ root }: Document, scope: Scope, complaints: Complaints): readonly Switch[] {
  const unmanaged = (hook: Hook): Hook => (hook.source.scope === 'managed' ? hook : off(hook));
  return [
    ...switchAt(fieldOf(root, 'features'), 'hooks', false, off, complaints, 'features.hooks'),
    ...(scope === 'managed' ? switchAt(root, 'allow_managed_hooks_only', true, unmanaged, complaints) : []),
    // Codex does not look at the state that a project claims.
    ...(scope === 'user' ? unwanted(fieldOf(fieldOf(root, 'hooks'), 'state'), complaints) : []),
  ];
}

/** quirk unwanted-hooks */
function unwanted(state: Node | undefined, complaints: Complaints): readonly Switch[] {
  if (state?.kind !== 'map') return [];
  return state.entries.flatMap(({ key, value }) => {
    const apply = (hook: Hook): Hook => (keyOf(hook) === key ? off(hook) : hook);
    return switchAt(value, 'enabled', false, apply, complaints, `hooks.state."${key}".enabled`);
  });
}

/** Undefined for one that is written so that Codex could not count it. */
function keyOf({ id, event, source }: Hook): string | undefined {
  const [, group, handler] = /#\w+\[(\d+)\]\.hooks\[(\d+)\]$/.exec(id) ?? [];
  return group === undefined || handler === undefined ? undefined : hookKey(source.file, event, Number(group), Number(handler));
}

/** The program that older versions had in the place of hooks. */
export function sayLegacy({ root }: Document, complaints: Complaints): void {
  const notify = entryOf(root, 'notify');
  if (!notify) return;
  const what = '`notify` is what Codex itself runs after each turn. It is no hook, and is not asked here.';
  complaints.say('info', 'no-effect', notify.at, what, 'A hook on `Stop` is told of the same.');
}
