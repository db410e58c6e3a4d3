/**
 * Effect `container.remove-all`: a command removes or kills every container, pod or image that another one lists. Facts: `command`, `words`.
 * Images are pulled or built again, so only the forced removal of all of them counts: without force, those in use stay.
 */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { namesIn } from '../../shell/names.ts';
import { type Effect, effect } from '../effect.ts';
import { factsOf } from '../run.ts';

const TOOLS = namesIn('docker podman nerdctl finch crictl');
const REMOVES = /^(?:(?:container |pod |image )?(?:rm|remove)|rmi|rmp|(?:container |pod )?kill)$/;
const LISTS = /^(?:ps|pods|(?:container|pod) (?:ls|list|ps))$/;
const REMOVES_IMAGES = /^(?:rmi|image (?:rm|remove))$/;
const LISTS_IMAGES = /^(?:images|image (?:ls|list))$/;
const FORCES = /^(?:-\w*f\w*|--force)$/;
/** Programs that pass on only the lines with a certain text. */
const FILTERS = namesIn('grep egrep fgrep rg');
/** Options with which a list has only some of them. */
const PICKS = /^(?:-f|--filter(?:=.*)?|-n|--last(?:=.*)?|-l|--latest|--name(?:=.*)?|--label(?:=.*)?)$/;

export function emptiedContainers(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  let listed = false;
  let listedImages = false;
  for (const command of commands) {
    const { name, argv, via } = command;
    if (FILTERS.has(name)) listedImages &&= argv.some((word) => /^-\w*v|^--invert/.test(word));
    if (!TOOLS.has(name)) continue;
    const { verb, option: options } = factsOf(name, argv);
    const isVerb = (pattern: RegExp): boolean => verb.slice(0, 2).some((words) => pattern.test(words));
    if (options.includes('--help')) continue;
    if (isVerb(LISTS)) listed ||= !options.some((option) => PICKS.test(option));
    else if (isVerb(LISTS_IMAGES)) listedImages ||= !options.some((option) => PICKS.test(option)) && !namesImage(argv);
    else if (isVerb(REMOVES)) {
      const hasAll = options.some((option) => /^(?:--all|-a)$/.test(option));
      // Names that a person chose are no list, although the guard may not know them.
      const isAll = isVerb(REMOVES_IMAGES) ? listedImages && argv.some((word) => FORCES.test(word)) : listed;
      const takesList = isAll && (argv.some(isDynamic) || via.some((by) => /^g?xargs$|^parallel$/.test(by)));
      if (hasAll || takesList)
        found.push({ command, seen: effect('container.remove-all', { command: name, words: argv.slice(1).join(' ') }) });
    }
  }
  return found;
}

/** Returns whether a list of images has only those of a name (`docker images -q shop`). */
function namesImage(argv: readonly string[]): boolean {
  const verb = argv.findIndex((word) => /^(?:images|ls|list)$/.test(word));
  return argv.some((word, at) => at > verb && !word.startsWith('-') && argv[at - 1] !== '--format');
}
