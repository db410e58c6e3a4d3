/** Chooses the model of `hookline agent`: the option, the user's settings, or the script. Without any, it says what to set. */
import type { Environment } from '../../core/values/environment.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { resolveHome } from '../../load/find/home.ts';
import { readSettings } from '../../load/settings/settings.ts';
import { PROVIDERS } from '../../runtime/models/providers.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';

const SCRIPTED = 'To see the agent work without a key, run `hookline agent --scripted`.';

/** Returns the name of the model, or undefined for the script. */
export async function chooseModel(args: Arguments, env: Environment): Promise<string | undefined> {
  const given = optionValue(args, 'model');
  if (hasFlag(args, 'scripted')) {
    if (given !== undefined) throw usageError('`--model` and `--scripted` cannot be combined.', 'Give one of them.');
    return undefined;
  }
  if (given !== undefined) return given;
  const { configFolder } = resolveHome({ home: optionValue(args, 'home') }, env);
  const { settings } = await readSettings(configFolder);
  if (settings.agent?.model !== undefined) return settings.agent.model;
  throw noModel(env);
}

/** Adds the way without a key to an error about a model. */
export function withScriptedOffer(error: unknown): unknown {
  if (!(error instanceof HooklineError) || error.code !== 'model-unavailable') return error;
  return new HooklineError(error.code, error.message, { hint: [error.hint, SCRIPTED].join(' '), cause: error });
}

function noModel(env: Environment): HooklineError {
  const keyed = PROVIDERS.filter(({ key }) => key !== null && (env[key] ?? '').trim() !== '');
  const [found] = keyed;
  if (found)
    return new HooklineError('model-unavailable', `No model is named. The key of ${found.title} is set.`, {
      hint: `Name a model, for example \`hookline agent --model ${found.id}:${found.example}\`, or set \`agent.model\` in your settings.`,
    });
  const [first] = PROVIDERS;
  const keys = PROVIDERS.flatMap(({ key }) => (key === null ? [] : [key]));
  return new HooklineError('model-unavailable', 'No model is named, and no key of a provider is set.', {
    hint:
      `Set a key (${keys.join(', ')}) and name a model, for example \`export ${first?.key}=…\` and ` +
      `\`hookline agent --model ${first?.id}:${first?.example}\`. ${SCRIPTED}`,
  });
}
