/** The calls that Claude Code keeps from its hooks, and how its settings switch them off. */
import {
  type HostLimits,
  type HostLook,
  leavesOut,
  type Objection,
  offWhere,
  switchedOff,
  valueAt,
  wordsAt,
} from '../../core/contracts/host-limits.ts';

const POLICY = ['/etc/claude-code/managed-settings.json', '/Library/Application Support/ClaudeCode/managed-settings.json'];
const SETTINGS = ['~/.claude/settings.json', '.claude/settings.json', '.claude/settings.local.json'];

function objections(look: HostLook): readonly Objection[] {
  return [...offWhere(look, [...SETTINGS, ...POLICY], ['disableAllHooks'], true), ...managedOnly(look), ...addresses(look)];
}

function managedOnly({ read }: HostLook): readonly Objection[] {
  const file = POLICY.find((one) => valueAt(read(one), 'allowManagedHooksOnly') === true);
  return file === undefined ? [] : [switchedOff('`allowManagedHooksOnly` is true: only managed hooks are asked, and ours is none.', file)];
}

/** Its lists of addresses add up. */
function addresses({ read, lines, file }: HostLook): readonly Objection[] {
  const lists = [...SETTINGS, ...POLICY].map((one) => wordsAt(read(one), 'allowedHttpHookUrls'));
  if (!leavesOut(lists, lines)) return [];
  return [switchedOff('`allowedHttpHookUrls` does not have our address: it is not asked.', file)];
}

export const limits: HostLimits = {
  blind: [
    {
      of: 'agents',
      what: 'calls of subagents, in some versions',
      because: 'hooks were reported not to be asked, or not to be obeyed, for them; the log shows whether yours are',
    },
    { of: 'surfaces', what: '`--bare`, `--safe-mode` and `CLAUDE_CODE_SIMPLE`', because: 'they run no hooks of the user or a project' },
    {
      of: 'surfaces',
      what: 'a denied prompt, compaction or stop in VS Code',
      because: 'it also runs this entry, and reads a denial in this form only before and after a tool',
    },
  ],
  context: { most: 10_000, beyond: 'it shows a short preview, and puts the rest into a file' },
  objections,
};
