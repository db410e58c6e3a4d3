/** `hookline approvals protect` and `unprotect`: a passphrase without which nothing is settled, trusted or pruned on this machine. */
import { resolveHome } from '../../load/find/home.ts';
import { openSecret, PROTECTION_SESSION, SHORTEST_PASSPHRASE } from '../../people/secret.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { askPassphrase } from '../input/passphrase.ts';
import { jsonDocument } from '../output.ts';

export async function protect(args: Arguments, json: boolean): Promise<CommandResult> {
  const secret = secretOf(args);
  // A machine that is protected already asks for the old passphrase here.
  const permitted = await requirePerson(args, {
    ...{ kind: 'approvals.protected', weight: 'pausing', does: 'protect this machine by a passphrase', data: {} },
  });
  const first = askPassphrase('New passphrase: ');
  const second = first === undefined ? undefined : askPassphrase('Once more: ');
  if (first === undefined || second === undefined) throw unchanged('No passphrase was given.');
  if (first !== second) throw unchanged('The two passphrases differ.');
  if ([...first].length < SHORTEST_PASSPHRASE) throw unchanged(`A passphrase needs at least ${SHORTEST_PASSPHRASE} characters.`);
  const wasSet = secret.isSet;
  // The entry and the verifier belong together. Without the entry, a removed verifier would not be noticed. Without the verifier, no person could settle.
  secret.set(first);
  try {
    await permitted.record('A passphrase protects approvals, trust and the log on this machine.', {}, { session: PROTECTION_SESSION });
  } catch (error) {
    if (!wasSet) secret.remove();
    throw error;
  }
  const text = 'From now on settling, trusting and pruning on this machine need the passphrase. It cannot be recovered.\n';
  return { exit: EXIT.ok, out: json ? jsonDocument({ protected: true }) : text };
}

export async function unprotect(args: Arguments, json: boolean): Promise<CommandResult> {
  const secret = secretOf(args);
  const permitted = await requirePerson(args, {
    ...{ kind: 'approvals.unprotected', weight: 'pausing', does: 'take the passphrase away', data: {} },
  });
  if (!secret.isSet) throw unchanged('No passphrase is set.');
  await permitted.record('No passphrase protects this machine any more.', {}, { session: PROTECTION_SESSION });
  secret.remove();
  return { exit: EXIT.ok, out: json ? jsonDocument({ protected: false }) : 'Nothing needs the passphrase any more.\n' };
}

function secretOf(args: Arguments) {
  return openSecret(resolveHome({ home: optionValue(args, 'home') }, process.env).stateFolder);
}

function unchanged(message: string): CommandError {
  return new CommandError({ exit: EXIT.negative, code: 'not-permitted', message: `${message} Nothing was changed.` });
}
