/** What a hook says about how it is run: its folder, its time, its environment, and whether it wants to be looked at. */
import type { HandlerDescription } from '../../core/contracts/handler.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { type Accusation, type Finding, finding } from '../findings.ts';
import { isDynamic } from '../shell/marks.ts';
import { isBelow } from './files.ts';
import { accuse } from './rules.ts';

const LONGEST_MS = 10 * 60 * 1000;
const SHORTEST_MS = 100;

export function judgeSurroundings(hook: Hook, { does }: HandlerDescription, root: string | undefined): readonly Finding[] {
  const asked = does === 'reply' || does === 'call' ? [] : judgeTimeout(hook.timeoutMs);
  const started = does === 'run' ? [...judgeFolder(hook, root), ...judgeEnvironment(hook.env ?? {})] : [];
  const skips = hook.skipAudit
    ? [finding(accuse('asks-not-to-be-audited', 'Asks not to be audited. It was audited all the same.'), hook.name)]
    : [];
  return [...skips, ...asked.map((accusation) => finding(accusation, `${hook.timeoutMs} ms`)), ...started];
}

/** Variables that a hook, or a command of it, puts into the environment of what it starts. */
export function judgeEnvironment(environment: Readonly<Record<string, string>>): readonly Finding[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const accusation = judgeVariable(name, value);
    return accusation ? [finding(accusation, `${name}=${value}`)] : [];
  });
}

function judgeTimeout(timeoutMs: number): readonly Accusation[] {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) return [accuse('timeout-long', 'Has no timeout: the agent may wait for it forever.')];
  if (timeoutMs > LONGEST_MS) {
    const minutes = Math.round(timeoutMs / 60_000);
    const unit = timeoutMs % 1_000_000 === 0 ? [accuse('timeout-unit', `Waits ${minutes} minutes: milliseconds may have been meant.`)] : [];
    return [accuse('timeout-long', `May hold the agent up for ${minutes} minutes.`), ...unit];
  }
  return timeoutMs < SHORTEST_MS ? [accuse('timeout-unit', `Is given ${timeoutMs} ms, which is hardly enough to start.`)] : [];
}

function judgeFolder({ cwd, folder }: Hook, root: string | undefined): readonly Finding[] {
  if (cwd === undefined || [folder, root].some((base) => base !== undefined && isBelow(cwd, base))) return [];
  return [finding(accuse('workdir-outside', `Works in ${cwd}, which is neither its folder nor the project's.`), cwd)];
}

/** Loaded by every program that is started, or by every shell or interpreter. */
const LOADS = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|PROMPT_COMMAND)$/;
const NODE_LOADS = /(^|\s)(--require|-r|--import|--loader|--experimental-loader|--inspect\S*)([=\s]|$)/;
const SEARCHED = /^(PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH)$/;

function judgeVariable(name: string, value: string): Accusation | undefined {
  if (value === '') return undefined;
  if (LOADS.test(name) || (name === 'NODE_OPTIONS' && NODE_LOADS.test(value)))
    return accuse('env-injects-code', `Sets \`${name}\`, which loads code into the programs that are started.`);
  if (SEARCHED.test(name) && value.split(':').some((folder) => !/^[/~]/.test(folder) && !isDynamic(folder)))
    return accuse('env-search-path', `Sets \`${name}\` to a list with a relative folder in it.`);
  return undefined;
}
