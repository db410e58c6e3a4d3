/** All commands as data, in the order the help shows them. */
import type { CommandSpec } from '../command.ts';
import { checkSpec } from './check.ts';
import { fireSpec } from './fire.ts';
import { listSpec } from './list.ts';
import { planSpec } from './plan.ts';
import { trustSpec } from './trust.ts';

export const SPECS: readonly CommandSpec[] = [fireSpec, planSpec, listSpec, checkSpec, trustSpec];
