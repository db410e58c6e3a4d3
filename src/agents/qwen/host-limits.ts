/** The calls that Qwen Code keeps from its hooks, how its settings switch them off, and in which folders it does not read those of a project. */
import {
  type HostLimits,
  type HostLook,
  isWithin,
  leavesOut,
  nodeAt,
  type Objection,
  offWhere,
  switchedOff,
  valueAt,
  wordsAt,
} from '../../core/contracts/host-limits.ts';

const SETTINGS = ['~/.qwen/settings.json', '.qwen/settings.json'];

function objections(look: HostLook): readonly Objection[] {
  return [...offWhere(look, SETTINGS, ['disableAllHooks'], true), ...addresses(look), ...folder(look)];
}

/** An empty list restricts nothing; that of a project counts only if its user has none. */
function addresses({ read, lines }: HostLook): readonly Objection[] {
  const document = SETTINGS.map((file) => read(file)).find((one) => (wordsAt(one, 'security', 'allowedHttpHookUrls') ?? []).length > 0);
  if (!document || !leavesOut([wordsAt(document, 'security', 'allowedHttpHookUrls')], lines)) return [];
  return [switchedOff('`security.allowedHttpHookUrls` does not have our address: it is not asked.', document.file)];
}

function folder({ read, scope, root, env }: HostLook): readonly Objection[] {
  if (scope !== 'project' || valueAt(read('~/.qwen/settings.json'), 'security', 'folderTrust', 'enabled') !== true) return [];
  const list = nodeAt(read(env['QWEN_CODE_TRUSTED_FOLDERS_PATH'] ?? '~/.qwen/trustedFolders.json'));
  const trusted = list?.kind === 'map' ? list.entries.filter(({ value }) => value.kind === 'scalar' && value.value !== 'DO_NOT_TRUST') : [];
  if (
    isWithin(
      root,
      trusted.map(({ key }) => key),
    )
  )
    return [];
  const because = 'Qwen Code reads the hooks of a project only in a folder that its user trusts, and this one is not among them.';
  const fix = 'Start it in the project and trust the folder, or install for the user.';
  return [{ severity: 'warning', code: 'not-trusted-there', because, fix }];
}

export const limits: HostLimits = {
  blind: [
    { of: 'surfaces', what: 'the end of a session in `-p`', because: '`SessionEnd` was not seen there' },
    { of: 'surfaces', what: '`--bare` and `--safe-mode`', because: 'they run no hooks' },
    {
      of: 'surfaces',
      what: 'the hooks of a project in a folder that is not trusted',
      because: 'they are not read there, if folders are trusted at all',
    },
  ],
  objections,
};
