/** Effect `container.remove-all`: a command removes or kills every container, pod or image that another one lists. Facts: `command`, `words`. */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { namesIn } from '../../shell/names.ts';
import { type Effect, effect } from '../effect.ts';
import { factsOf } from '../run.ts';

const TOOLS = namesIn('docker podman nerdctl finch crictl');
const REMOVES = /^(?:(?:container |pod |image )?(?:rm|remove)|rmi|rmp|(?:container |pod )?kill)$/;
const LISTS = /^(?:ps|images|pods|(?:container|pod|image) (?:ls|list|ps))$/;
/** Options with which a list has only some of them. */
const PICKS = /^(?:-f|--filter(?:=.*)?|-n|--last(?:=.*)?|-l|--latest|--name(?:=.*)?|--label(?:=.*)?)$/;

export function emptiedContainers(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  let listed = false;
  for (const command of commands) {
    const { name, argv, via } = command;
    if (!TOOLS.has(name)) continue;
    const { verb, option: options } = factsOf(name, argv);
    const isVerb = (pattern: RegExp): boolean => verb.slice(0, 2).some((words) => pattern.test(words));
    if (options.includes('--help')) continue;
    if (isVerb(LISTS)) listed ||= !options.some((option) => PICKS.test(option));
    else if (isVerb(REMOVES)) {
      const hasAll = options.some((option) => /^(?:--all|-a)$/.test(option));
      // Names that a person chose are no list, although the guard may not know them.
      const takesList = listed && (argv.some(isDynamic) || via.some((by) => /^g?xargs$|^parallel$/.test(by)));
      if (hasAll || takesList)
        found.push({ command, seen: effect('container.remove-all', { command: name, words: argv.slice(1).join(' ') }) });
    }
  }
  return found;
}
