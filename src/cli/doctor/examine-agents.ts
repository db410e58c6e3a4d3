/** Whether the agents of this machine ask Hookline at all. An agent that a user leaves out on purpose is named in the settings. */
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { suggest } from '../../core/values/suggest.ts';
import type { Folders } from '../../install/host-files.ts';
import { isUsedHere } from '../../install/installed.ts';
import type { Examined } from './examine-host.ts';
import type { HooksReport } from './report.ts';

/** A finding on an agent that is left out on purpose informs and changes nothing. */
export function leftOut(examined: Examined, ignore: readonly string[]): Examined {
  const { report, findings } = examined;
  if (!ignore.includes(report.id)) return examined;
  return { ...examined, report: { ...report, ignored: true }, findings: findings.map((one) => ({ ...one, severity: 'info' })) };
}

/** Agents that are used here and do not ask Hookline. Files of an agent in the project alone may be there for others. */
export function notInstalled(hosts: readonly Host[], examined: readonly Examined[], folders: Folders): readonly Diagnostic[] {
  const missing = examined.flatMap(({ report }, index): Diagnostic[] => {
    const host = hosts[index] as Host;
    if (report.installed || report.ignored) return [];
    const isUsed = isUsedHere(host, folders);
    const message = isUsed
      ? `${host.title} is used on this machine and does not ask Hookline: no hook judges what it does.`
      : `This project has files of ${host.title}, which does not ask Hookline.`;
    const scope = host.entry.files.user === undefined ? ' --scope project' : '';
    const hint = `Run \`hookline install ${host.id}${scope}\`, or add "${host.id}" to \`doctor.ignore\` in your settings.`;
    return [{ severity: isUsed ? 'error' : 'info', code: 'not-installed', message, hint }];
  });
  if (examined.some(({ report }) => report.installed)) return missing;
  const message = 'Hookline is installed in no agent, so no agent asks it about anything.';
  return [{ severity: 'error', code: 'nothing-installed', message, hint: 'Run `hookline install <host>`.' }, ...missing];
}

/** Names in `doctor.ignore` that no agent has. */
export function unknownNames(ignore: readonly string[], hosts: readonly Host[]): readonly Diagnostic[] {
  const ids = hosts.map(({ id }) => id);
  return ignore
    .filter((name) => !ids.includes(name))
    .map((name) => {
      const near = suggest(name, ids);
      const hint = near === undefined ? `Known: ${ids.join(', ')}.` : `Did you mean \`${near}\`?`;
      return { severity: 'warning', code: 'unknown-agent', message: `\`doctor.ignore\` names \`${name}\`, which is no agent.`, hint };
    });
}

/** Hooks that are there, and none of which acts. */
export function noneInForce({ total, active, states }: HooksReport): readonly Diagnostic[] {
  if (active > 0 || total === (states['disabled'] ?? 0)) return [];
  const message = `${total === 1 ? 'The only hook that was found is' : `All ${total} hooks that were found are`} not in force, so nothing is judged.`;
  return [
    {
      severity: 'error',
      code: 'no-hook-in-force',
      message,
      hint: 'Look at them with `hookline list`, and trust them with `hookline trust add`.',
    },
  ];
}
