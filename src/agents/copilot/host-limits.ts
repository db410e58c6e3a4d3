/** The calls that Copilot keeps from its hooks, how its settings switch them off, and where it does not run those of a repository. */
import { type HostLimits, type HostLook, isWithin, type Objection, offWhere, wordsAt } from '../../core/contracts/host-limits.ts';

const SETTINGS = ['~/.copilot/settings.json', '.github/copilot/settings.json', '.github/copilot/settings.local.json'];

function objections(look: HostLook): readonly Objection[] {
  const files = [[look.file], ...SETTINGS.map((file) => [file])];
  return [...files.flatMap((one) => offWhere(look, one, ['disableAllHooks'], true)), ...folder(look)];
}

function folder({ read, scope, root, env }: HostLook): readonly Objection[] {
  const config = read('~/.copilot/config.json');
  const trusted = [...(wordsAt(config, 'trusted_folders') ?? []), ...(wordsAt(config, 'trustedFolders') ?? [])];
  if (scope !== 'project' || env[ALSO_THERE] === 'true' || isWithin(root, trusted)) return [];
  const because = 'With `-p` Copilot runs the hooks of a repository only in a folder that is trusted, and this one is not among them.';
  const fix = `Trust the folder in Copilot, set \`${ALSO_THERE}=true\` where it runs, or install for the user.`;
  return [{ severity: 'warning', code: 'not-trusted-there', because, fix }];
}

const ALSO_THERE = 'GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS';

export const limits: HostLimits = {
  blind: [
    { of: 'agents', what: 'calls of subagents, in some versions', because: 'hooks were reported not to be asked for them' },
    { of: 'tools', what: 'a call whose hook takes longer than its time', because: 'it goes ahead: only a hook that fails stops it' },
    { of: 'surfaces', what: 'the cloud agent, but for `.github/hooks`', because: 'it reads no other file, and runs no entry of the user' },
  ],
  objections,
};
