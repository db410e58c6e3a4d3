/** All commands as data, in the order the help shows them. */
import type { CommandSpec } from '../command.ts';
import { approvalsSpec } from './approvals.ts';
import { auditSpec } from './audit.ts';
import { checkSpec } from './check.ts';
import { doctorSpec } from './doctor.ts';
import { fireSpec } from './fire.ts';
import { guardSpec } from './guard.ts';
import { hookSpec } from './hook.ts';
import { installSpec, uninstallSpec } from './install.ts';
import { listSpec } from './list.ts';
import { logSpec } from './log.ts';
import { planSpec } from './plan.ts';
import { serveSpec } from './serve.ts';
import { trustSpec } from './trust.ts';
import { whySpec } from './why.ts';

export const SPECS: readonly CommandSpec[] = [
  fireSpec,
  planSpec,
  listSpec,
  hookSpec,
  checkSpec,
  auditSpec,
  trustSpec,
  guardSpec,
  approvalsSpec,
  logSpec,
  whySpec,
  installSpec,
  uninstallSpec,
  doctorSpec,
  serveSpec,
];
