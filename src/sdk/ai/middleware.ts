/** Model calls of the AI SDK behind the hooks. One value serves version 6 and 7, because both take middleware of the specification `v3`. */
import type { Hookline } from '../../api/hookline.ts';
import { HaltError } from '../kit/errors.ts';
import { type ModelHooks, modelHooks } from '../kit/language-model.ts';
import type { GuardContext } from './tools.ts';

/** Middleware for `wrapLanguageModel`, in every version of the SDK. */
export interface HooklineMiddleware extends ModelHooks {
  readonly specificationVersion: 'v3';
}

export function middleware(hookline: Hookline, context: GuardContext): HooklineMiddleware {
  const end = (halt: string): never => {
    throw new HaltError(halt);
  };
  const form = { specification: 'v3', finish: 'content-filter' } as const;
  return { specificationVersion: 'v3', ...modelHooks(hookline, { contextOf: () => context, end, form }) };
}
