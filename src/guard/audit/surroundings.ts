/** Checks how a hook is run: its working folder, its timeout, its environment, and whether it asks to skip the audit. */
import type { HandlerDescription } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { type Finding, finding, type Violation } from '../findings.ts';
import { isDynamic } from '../shell/marks.ts';
import { isBelow } from './files.ts';
import { auditViolation } from './rules.ts';

const LONGEST_MS = 10 * 60 * 1000;
const SHORTEST_MS = 100;

export function judgeSurroundings(hook: Hook, { does }: HandlerDescription, root: string | undefined): readonly Finding[] {
  const asked = does === 'reply' || does === 'call' ? [] : judgeTimeout(hook.timeoutMs);
  const started = does === 'run' ? [...judgeFolder(hook, root), ...judgeEnvironment(hook.env ?? {})] : [];
  const skips = hook.skipAudit
    ? [finding(auditViolation('asks-not-to-be-audited', 'The hook asks not to be audited. Hookline audited it anyway.'), hook.name)]
    : [];
  return [...skips, ...asked.map((violation) => finding(violation, `${hook.timeoutMs} ms`)), ...started];
}

/** Checks the variables that a hook, or one of its commands, sets for the processes it starts. */
export function judgeEnvironment(environment: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const violation = judgeVariable(name, value);
    return violation ? [finding(violation, `${name}=${value}`)] : [];
  });
}

function judgeTimeout(timeoutMs: number): readonly Violation[] {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0)
    return [auditViolation('timeout-long', 'The hook has no timeout, so the agent can wait for it forever.')];
  if (timeoutMs > LONGEST_MS) {
    const minutes = Math.round(timeoutMs / 60_000);
    // A doubtful timeout is one finding.
    const doubt = timeoutMs % 1_000_000 === 0 ? ' The value may be meant in milliseconds.' : '';
    return [auditViolation('timeout-long', `The hook can block the agent for ${minutes} minutes.${doubt}`)];
  }
  return timeoutMs < SHORTEST_MS
    ? [auditViolation('timeout-unit', `The timeout is ${timeoutMs} ms, which is hardly enough to start the hook.`)]
    : [];
}

function judgeFolder({ cwd, folder }: Hook, root: string | undefined): readonly Finding[] {
  if (cwd === undefined || [folder, root].some((base) => base !== undefined && isBelow(cwd, base))) return [];
  return [finding(auditViolation('workdir-outside', `The hook runs in ${cwd}, which is neither in its folder nor in the project.`), cwd)];
}

/** Variables that make every started program, shell or interpreter load code. */
const LOADS = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|PROMPT_COMMAND)$/;
const NODE_LOADS = /(^|\s)(--require|-r|--import|--loader|--experimental-loader|--inspect\S*)([=\s]|$)/;
const SEARCHED = /^(PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH)$/;

function judgeVariable(name: string, value: string): Violation | undefined {
  if (value === '') return undefined;
  if (LOADS.test(name) || (name === 'NODE_OPTIONS' && NODE_LOADS.test(value)))
    return auditViolation('env-injects-code', `The hook sets \`${name}\`, which loads code into the programs it starts.`);
  if (SEARCHED.test(name) && value.split(':').some((folder) => !/^[/~]/.test(folder) && !isDynamic(folder)))
    return auditViolation('env-search-path', `The hook sets \`${name}\` to a list with a relative folder.`);
  return undefined;
}
