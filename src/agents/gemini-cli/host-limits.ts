/** The calls that Gemini CLI keeps from its hooks, how its settings switch them off, and in which folders it does not read those of a project. */
import {
  type HostLimits,
  type HostLook,
  type Objection,
  offWhere,
  switchedOff,
  valueAt,
  wordsAt,
} from '../../core/contracts/host-limits.ts';

const SETTINGS = ['~/.gemini/settings.json', '.gemini/settings.json'];

function objections(look: HostLook): readonly Objection[] {
  return [...offWhere(look, SETTINGS, ['hooksConfig', 'enabled'], false), ...byName(look), ...folder(look)];
}

/** The name of Hookline's entry. */
function byName({ read, lines }: HostLook): readonly Objection[] {
  return SETTINGS.flatMap((file) => {
    const document = read(file);
    const isOff = wordsAt(document, 'hooksConfig', 'disabled')?.some((word) => word === 'hookline' || lines.includes(word));
    return document && isOff ? [switchedOff('`hooksConfig.disabled` has our entry: it is not asked.', document.file)] : [];
  });
}

function folder({ read, scope, root }: HostLook): readonly Objection[] {
  if (scope !== 'project' || valueAt(read('~/.gemini/settings.json'), 'security', 'folderTrust', 'enabled') === false) return [];
  const trusted = read('~/.gemini/trustedFolders.json');
  const levels = [root, ...above(root)].map((one) => valueAt(trusted, one));
  const [own] = levels;
  if (own === 'TRUST_FOLDER' || own === 'TRUST_PARENT' || (own === undefined && levels.includes('TRUST_FOLDER'))) return [];
  const because = 'Gemini CLI reads the hooks of a project only in a folder that its user trusts, and this one is not among them.';
  const fix = 'Start it in the project and trust the folder, or install for the user.';
  return [{ severity: own === undefined ? 'warning' : 'error', code: 'not-trusted-there', because, fix }];
}

function above(folderPath: string): readonly string[] {
  const parts = folderPath.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`).reverse();
}

export const limits: HostLimits = {
  blind: [
    { of: 'agents', what: 'when a subagent begins and ends', because: 'there is no event for it' },
    { of: 'surfaces', what: 'the hooks of a project in a folder that is not trusted', because: 'they are not read there' },
  ],
  objections,
};
