/** Opens a model by its name, `provider:model`, with the user's key. Everything that is missing has an error with the line that fixes it. */
import type { Environment } from '../../core/values/environment.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { suggest } from '../../core/values/suggest.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type FoundPackage, findPackage, packageFolders, userFolder } from './find-package.ts';
import { importFile } from './import-file.ts';
import { type AiMajor, PROVIDERS, type Provider } from './providers.ts';

/** A language model of the AI SDK, as far as Hookline knows it. Functions of `ai` take it as their `model`. */
export interface LanguageModel {
  /** `v3` fits `ai` 6 and 7, `v4` fits `ai` 7. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]> | PromiseLike<Record<string, RegExp[]>>;
  // biome-ignore lint/suspicious/noExplicitAny: the types of two versions of the SDK differ, and this is both.
  doGenerate(options: any): PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  doStream(options: any): PromiseLike<any>;
}

export interface ModelPlaces {
  /** The user's home, below which packages are found (default: the real one, or HOOKLINE_HOME). */
  readonly home?: string | undefined;
  /** The variables that have the keys (default: those of this process). */
  readonly env?: Environment | undefined;
}

export interface ModelName {
  readonly provider: Provider;
  /** The name that the provider knows the model by. It may contain colons. */
  readonly model: string;
}

/** Reads `provider:model`, and throws `unknown-model` if it is no such name or there is no such provider. */
export function readModelName(name: string): ModelName {
  const [, id = '', model = ''] = /^([^:]*):(.*)$/s.exec(name.trim()) ?? [];
  const known = PROVIDERS.map((one) => one.id);
  const provider = PROVIDERS.find((one) => one.id === id.toLowerCase());
  if (provider && model !== '') return { provider, model };
  const [first] = PROVIDERS as readonly [Provider, ...Provider[]];
  const { id: shown, example } = provider ?? first;
  if (provider || id === '')
    throw new HooklineError('unknown-model', `\`${name}\` does not name a model.`, {
      hint: `Write \`provider:model\`, for example \`${shown}:${example}\`. Providers: ${known.join(', ')}.`,
    });
  const near = suggest(id, known);
  throw new HooklineError('unknown-model', `There is no provider \`${id}\`, which \`${name}\` names.`, {
    hint: `${near === undefined ? '' : `Did you mean \`${near}:${model || example}\`? `}Providers: ${known.join(', ')}.`,
  });
}

/**
 * Opens a model with the package of its provider and the user's key. Nothing is sent. Throws `unknown-model` if the name is no model's, and
 * `model-unavailable` if a package or the key is missing. Packages come from the user's folder or from Hookline's installation, never from the
 * project.
 */
export async function openModel(name: string, places: ModelPlaces = {}): Promise<LanguageModel> {
  const { provider, model } = readModelName(name);
  const { env, configFolder, folders } = lookIn(places);
  const ai = findPackage('ai', folders);
  const found = findPackage(provider.package, folders);
  const major = majorOf(ai);
  if (!found || !ai || major === undefined) throw missing(name, provider, { ai, found, major }, configFolder);
  const key = provider.key === null ? undefined : env[provider.key]?.trim();
  if (provider.key !== null && !key)
    throw new HooklineError(
      'model-unavailable',
      `The model \`${name}\` needs the key of ${provider.title}, but \`${provider.key}\` is not set.`,
      {
        hint: `Run \`export ${provider.key}=…\` with your key.`,
      },
    );
  const opened = await create(name, provider, model, found, { key, env, configFolder });
  if (opened.specificationVersion === 'v4' && major < 7)
    throw new HooklineError(
      'model-unavailable',
      `\`${provider.package}\` ${found.version} needs \`ai\` 7, but \`ai\` ${ai.version} is installed.`,
      { hint: installLine([`${provider.package}@${provider.majors[major]}`], configFolder) },
    );
  return opened;
}

/** Loads the AI SDK itself, from the same places. Throws `model-unavailable` with the line that installs it. */
export async function loadAiSdk(places: ModelPlaces = {}): Promise<Readonly<Record<string, unknown>>> {
  const { configFolder, folders } = lookIn(places);
  const ai = findPackage('ai', folders);
  if (!ai || majorOf(ai) === undefined) {
    const message = ai ? `Hookline works with \`ai\` 6 and 7, but ${ai.version} is installed.` : 'The package `ai` is not installed.';
    throw new HooklineError('model-unavailable', message, { hint: installLine([`ai@${newestMajor()}`], configFolder) });
  }
  return load(ai, 'ai', configFolder);
}

function lookIn({ home, env = process.env }: ModelPlaces): { env: Environment; configFolder: string; folders: readonly string[] } {
  const { configFolder } = resolveHome({ home }, env);
  return { env, configFolder, folders: packageFolders(configFolder) };
}

async function create(
  name: string,
  provider: Provider,
  model: string,
  found: FoundPackage,
  { key, env, configFolder }: { readonly key: string | undefined; readonly env: Environment; readonly configFolder: string },
): Promise<LanguageModel> {
  const { endpoint } = provider;
  const make = (await load(found, provider.package, configFolder))[provider.creates];
  const options = {
    ...(key !== undefined && { apiKey: key }),
    ...(endpoint && { name: provider.id, baseURL: env[endpoint.variable] || endpoint.url }),
  };
  try {
    const created = (make as (options: object) => { languageModel(id: string): LanguageModel })(options);
    return created.languageModel(model);
  } catch (cause) {
    throw new HooklineError('model-unavailable', `The model \`${name}\` cannot be opened with \`${provider.package}\` ${found.version}.`, {
      hint: `Install the version that Hookline is tested with: ${provider.package}@${provider.majors[6]} for \`ai\` 6, @${provider.majors[7]} for \`ai\` 7.`,
      cause,
    });
  }
}

async function load(found: FoundPackage, name: string, configFolder: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importFile(found.entry);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HooklineError('model-unavailable', `The package \`${name}\` in ${found.folder} cannot be loaded: ${why}`, {
      hint: installLine([name], configFolder),
      cause,
    });
  }
}

interface Present {
  readonly ai: FoundPackage | undefined;
  readonly found: FoundPackage | undefined;
  readonly major: AiMajor | undefined;
}

function missing(name: string, provider: Provider, { ai, found, major }: Present, configFolder: string): HooklineError {
  const fitting = major ?? newestMajor();
  const lacks = [
    ...(major === undefined ? [{ name: 'ai', install: `ai@${fitting}` }] : []),
    ...(found ? [] : [{ name: provider.package, install: `${provider.package}@${provider.majors[fitting]}` }]),
  ];
  const names = lacks.map((one) => `\`${one.name}\``).join(' and ');
  const message =
    ai && major === undefined
      ? `The model \`${name}\` needs \`ai\` 6 or 7, but ${ai.version} is installed.`
      : `The model \`${name}\` needs ${names}, which ${lacks.length === 1 ? 'is' : 'are'} not installed.`;
  const hint = installLine(
    lacks.map(({ install }) => install),
    configFolder,
  );
  return new HooklineError('model-unavailable', message, { hint });
}

/** The line installs into the user's folder, so that no project has to have the package. */
function installLine(packages: readonly string[], configFolder: string): string {
  const folder = userFolder(configFolder);
  return `Run \`npm install --prefix ${/^[\w@%+=:,./~-]+$/.test(folder) ? folder : JSON.stringify(folder)} ${packages.join(' ')}\`.`;
}

function majorOf(ai: FoundPackage | undefined): AiMajor | undefined {
  const major = Number.parseInt(ai?.version ?? '', 10);
  return major === 6 || major === 7 ? major : undefined;
}

/** Version 7 of the SDK needs Node 22. */
function newestMajor(): AiMajor {
  return Number.parseInt(process.versions.node, 10) >= 22 ? 7 : 6;
}
