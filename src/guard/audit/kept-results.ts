/**
 * Keeps results that depend on some of the variables that a hook knows. Hooks of several formats run the same files with other variables, and
 * most files ask for none of them.
 */
import type { AnalyseOptions } from '../shell/analyse.ts';

type Variables = Readonly<Record<string, string>>;

interface Kept<T> {
  readonly variables: Variables;
  readonly asked: ReadonlySet<string>;
  readonly value: T;
}

/** Options with a set that collects the names of the variables that were asked for. */
type Observed<Options> = Options & { readonly asked: Set<string> };

export class KeptResults<T> {
  readonly #kept = new Map<string, Kept<T>[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }

  /**
   * Returns the result for these options, and makes it unless it was made before for variables that agree on those that it asked for.
   * @param key Everything but the variables that the result depends on.
   */
  once<Options extends AnalyseOptions>(key: string, options: Options, make: (options: Observed<Options>) => T): T {
    const { variables = {} } = options;
    const found = this.#kept.get(key)?.find((one) => agree(one, variables)) ?? this.#add(key, variables, options, make);
    for (const name of found.asked) options.asked?.add(name);
    return found.value;
  }

  #add<Options extends AnalyseOptions>(
    key: string,
    variables: Variables,
    options: Options,
    make: (options: Observed<Options>) => T,
  ): Kept<T> {
    const asked = new Set<string>();
    const made = { variables, asked, value: make({ ...options, asked }) };
    this.#kept.set(key, [...(this.#kept.get(key) ?? []), made]);
    this.#size++;
    return made;
  }
}

function agree({ variables, asked }: Kept<unknown>, others: Variables): boolean {
  const names = new Set([...Object.keys(variables), ...Object.keys(others)]);
  return [...names].every((name) => !asked.has(name) || valueIn(variables, name) === valueIn(others, name));
}

function valueIn(variables: Variables, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}
