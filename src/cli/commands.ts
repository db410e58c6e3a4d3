/** The specifications of all commands, in the order of the help page. */
import { agentSpec } from './agent/agent.ts';
import type { CommandSpec } from './command.ts';
import { approvalsSpec } from './decisions/approvals.ts';
import { logSpec } from './decisions/log.ts';
import { pauseSpec } from './decisions/pause.ts';
import { whySpec } from './decisions/why.ts';
import { doctorSpec } from './doctor/doctor.ts';
import { guardSpec } from './guard/guard.ts';
import { auditSpec } from './hooks/audit.ts';
import { checkSpec } from './hooks/check.ts';
import { listSpec } from './hooks/list.ts';
import { newSpec } from './hooks/new.ts';
import { reloadSpec } from './hooks/reload.ts';
import { schemaSpec } from './hooks/schema.ts';
import { trustSpec } from './hooks/trust.ts';
import { initSpec } from './init/init.ts';
import { installSpec, uninstallSpec } from './install/install.ts';
import { mcpSpec } from './mcp/mcp-spec.ts';
import { fireSpec } from './run/fire.ts';
import { hookSpec } from './run/hook-spec.ts';
import { planSpec } from './run/plan.ts';
import { serveSpec } from './serve/serve.ts';
import { testSpec } from './test/test.ts';
import { uiSpec } from './ui/ui.ts';
import { reportSpec } from './views/report.ts';
import { statsSpec } from './views/stats.ts';
import { topSpec } from './views/top/top.ts';

export const SPECS: readonly CommandSpec[] = [
  initSpec,
  fireSpec,
  planSpec,
  listSpec,
  reloadSpec,
  hookSpec,
  checkSpec,
  auditSpec,
  trustSpec,
  newSpec,
  testSpec,
  schemaSpec,
  guardSpec,
  approvalsSpec,
  logSpec,
  whySpec,
  topSpec,
  statsSpec,
  reportSpec,
  uiSpec,
  installSpec,
  uninstallSpec,
  doctorSpec,
  pauseSpec,
  serveSpec,
  agentSpec,
  mcpSpec,
];
