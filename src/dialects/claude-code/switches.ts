/** Settings of Claude Code that keep hooks from running. What they mean there they mean here, but for how far a project's reach. */
import { fieldOf, type Node } from '../../core/document.ts';
import type { Hook, Scope } from '../../core/hook.ts';
import type { Complaints } from '../../core/loading.ts';
import { type Listed, listAt, off, onlyAddresses, type Switch, switchAt } from '../../core/switch.ts';

export function switchesIn(root: Node | undefined, scope: Scope, complaints: Complaints): readonly Switch[] {
  const addresses = listAt(root, 'allowedHttpHookUrls', complaints);
  const variables = listAt(root, 'httpHookAllowedEnvVars', complaints);
  return [
    // quirk disabled-file
    ...switchAt(root, 'disableAllHooks', true, off, complaints),
    ...managedOnly(root, scope, complaints),
    ...(addresses ? [onlyAddresses(addresses, 'allowedHttpHookUrls')] : []),
    ...(variables ? [onlyVariables(variables)] : []),
  ];
}

/** quirk managed-only: in a file of anybody else it is not looked at, there as here. */
function managedOnly(root: Node | undefined, scope: Scope, complaints: Complaints): readonly Switch[] {
  const key = 'allowManagedHooksOnly';
  if (scope === 'managed') return switchAt(root, key, true, (hook) => (hook.source.scope === 'managed' ? hook : off(hook)), complaints);
  const node = fieldOf(root, key);
  if (node) complaints.say('info', 'no-effect', node.at, `\`${key}\` counts in managed settings only; here it does nothing.`);
  return [];
}

/** A header is filled from a variable only if the hook and the settings both permit it. */
function onlyVariables({ words, at }: Listed): Switch {
  return {
    key: 'httpHookAllowedEnvVars',
    at,
    apply(hook: Hook) {
      const { allowedEnvVars } = hook.handler.config;
      if (!Array.isArray(allowedEnvVars)) return hook;
      const left = allowedEnvVars.filter((name) => typeof name === 'string' && words.includes(name));
      if (left.length === allowedEnvVars.length) return hook;
      return { ...hook, handler: { ...hook.handler, config: { ...hook.handler.config, allowedEnvVars: left } } };
    },
  };
}
