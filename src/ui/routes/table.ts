/** The one table of routes. */
import type { Route } from '../route.ts';
import { DECISION_ROUTES } from './decisions.ts';
import { HOOK_ROUTES } from './hooks.ts';
import { LOG_ROUTES } from './log.ts';
import { PAGE_ROUTES } from './page.ts';
import { SESSION_ROUTES } from './sessions.ts';
import { TICKET_ROUTES } from './tickets.ts';
import { WHAT_IF_ROUTES } from './what-if.ts';

export const ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  ...DECISION_ROUTES,
  ...SESSION_ROUTES,
  ...HOOK_ROUTES,
  ...TICKET_ROUTES,
  ...LOG_ROUTES,
  ...WHAT_IF_ROUTES,
];
