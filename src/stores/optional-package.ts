/** Packages that only some stores need. They are optional peers, so the user installs them when such a store is used. */
import { HooklineError } from '../core/values/errors.ts';

/** The versions that Hookline is tested with. */
const VERSIONS = { pg: '8', 'graphile-worker': '0.17' } as const;

/**
 * Imports a package, or throws an error with the command that installs it. The comments keep bundlers from following the import, because a
 * bundle must not need the package of a store that it does not use.
 */
export async function optionalPackage<T>(name: keyof typeof VERSIONS, purpose: string): Promise<T> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
  } catch (cause) {
    throw new HooklineError('store-unavailable', `${purpose} needs the package \`${name}\`, which is not installed.`, {
      hint: `Run \`npm install ${name}@${VERSIONS[name]}\`, with \`--global\` if Hookline is installed globally.`,
      cause,
    });
  }
}
