/** The variables and programs by which agents and their hooks show that they started a command, and not a person. */

import { OTHER_PRODUCTS, OTHER_PROGRAMS } from '../../agents/kit/other-products.ts';
import { HOSTS } from '../../builtins.ts';
import type { Product } from '../../people/actor.ts';

const PRODUCTS = [...HOSTS, ...OTHER_PRODUCTS];

/** The programs of all known agents, and the editors that have one inside. */
export const AGENT_PROGRAMS: readonly Product[] = [
  ...PRODUCTS.map(({ title, signs: { programs, editors } }) => ({ title, programs, editors })),
  ...OTHER_PROGRAMS,
];

/** Variables in which agents name the project to their hooks. Some agents set another's as well. */
export const PROJECT_VARIABLES: readonly string[] = PRODUCTS.flatMap(({ signs }) => signs.project ?? []);

/** Returns the variables that may name the project to an entry: that of its host, and those of the products that read the host's file too. */
export function projectVariablesOf(host: string): readonly string[] {
  const readers = PRODUCTS.filter(({ id, alsoReads }) => id === host || alsoReads.some((files) => files.host === host));
  return readers.flatMap(({ signs }) => signs.project ?? []);
}

/** Variable → the product that sets it for the processes it starts. */
export const AGENT_MARKERS: Readonly<Record<string, string>> = {
  HOOKLINE_DEPTH: 'a hook',
  AI_AGENT: 'an agent',
  ...Object.fromEntries(PRODUCTS.flatMap(({ title, signs }) => signs.markers.map((name) => [name, title]))),
  ...Object.fromEntries(PROJECT_VARIABLES.map((name) => [name, 'a hook of an agent'])),
};

/** Variables by which agents show who they are and where they work. */
export const CALLER_VARIABLES: readonly string[] = [...new Set([...PROJECT_VARIABLES, ...HOSTS.flatMap(({ signs }) => signs.env)])];
