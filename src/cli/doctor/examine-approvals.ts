/** Checks who can settle, trust and prune on this machine, and whether people are told what waits. */
import type { Store } from '../../core/contracts/store.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Settings } from '../../load/settings/settings.ts';
import { createIdentity } from '../../people/identity.ts';
import { desktopProblem } from '../../people/notifiers/desktop.ts';
import { isProtectedByLog, openSecret, verifierFile } from '../../people/secret.ts';

export async function examineApprovals({ log }: Store, settings: Settings, stateFolder: string, root: string): Promise<Diagnostic[]> {
  const { who } = createIdentity(stateFolder, root, () => performance.now());
  const { isSet } = openSecret(stateFolder);
  const lost: Diagnostic = {
    severity: 'error',
    code: 'verifier-missing',
    file: verifierFile(stateFolder),
    message:
      'The log says that a passphrase protects this machine, but its verifier is missing. So nothing can be settled, trusted or pruned.',
    hint: 'Put the file back. If it is lost, move the store away and begin a new one; its open tickets are then void.',
  };
  const open: Diagnostic = {
    severity: 'warning',
    code: 'unattended-approvals',
    message: '`approvals.unattended` lets every program of this user that is not known as an agent settle, trust and prune.',
    hint: 'Remove the setting where no script needs it.',
  };
  return [
    ...(!isSet && (await isProtectedByLog(log, who())) ? [lost] : []),
    ...(settings.approvals?.unattended === true && !isSet ? [open] : []),
    ...untold(settings),
  ];
}

/** A notifier that cannot tell anybody is named, because the person relies on it. */
function untold({ notify = [] }: Settings): Diagnostic[] {
  const problem = notify.some(({ type }) => type === 'desktop') ? desktopProblem(process.env, process.platform) : undefined;
  if (problem === undefined) return [];
  return [
    {
      ...{ severity: 'warning', code: 'notifier-off' },
      message: `The \`desktop\` notifier shows nothing from here, because ${problem}.`,
      hint: 'Run the doctor where your agents run. Without a desktop, use a `command` or a `webhook` in `notify`.',
    },
  ];
}
