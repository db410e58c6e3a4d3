/** Where the agent surprises, or is not quite followed. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  {
    id: 'spelling-is-the-wire',
    behaviour:
      'camelCase events speak camelCase; PascalCase events speak snake_case and name tools as Claude Code does. Both are answered flat, `PreToolUse` nested too.',
  },
  {
    id: 'any-exit-denies',
    behaviour:
      'Before a tool and on a permission every exit code but 0 denies, whatever was printed; JSON with exit code 2 adds the reason. On other events it is a failure, and the agent continues.',
  },
  {
    id: 'warned-and-answered',
    behaviour: 'Elsewhere exit 2 shows stderr to the user, and the answer on stdout counts; without one it is the failure it looks like.',
  },
  {
    id: 'slow-is-no-crash',
    behaviour:
      'Before a tool a crash and an endpoint out of reach deny; after a timeout, or a reply that cannot be read, the agent continues.',
  },
  {
    id: 'words-for-a-permission',
    behaviour: 'On a permission, text that is no JSON denies too; a timeout and silence do not.',
  },
  {
    id: 'ignored-answers',
    behaviour:
      '`hookSpecificOutput` on any event but `PreToolUse`, and `decision` before a tool, are ignored by the agent: here they are a fault that shows.',
  },
  {
    id: 'half-a-spelling',
    behaviour: '`PermissionRequest`, `SubagentStart` and `Notification` are given the payload of their camelCase names.',
  },
  {
    id: 'handled-is-a-deny',
    behaviour: '`handled` with `responseContent` answers a prompt in the place of the model: a deny, as `"decision": "block"` is.',
  },
  {
    id: 'blocked-result',
    behaviour: 'A deny after a tool takes the place of its result; the agent drops context in the same reply.',
  },
  { id: 'progress-lines', behaviour: 'Lines of `{"type": "progress"}` are no part of the answer.' },
  {
    id: 'args-as-text',
    behaviour: 'Arguments that come as the text of their JSON, as older versions send them, are read as what they hold.',
  },
  {
    id: 'patch-is-a-text',
    behaviour: 'The arguments of `apply_patch` are the patch itself; in PascalCase it is called `Edit`, and known by that text.',
  },
  { id: 'whole-value', behaviour: 'A matcher must fit the whole value: `bash` does not match `bash_output`.' },
  {
    id: 'claude-names',
    behaviour: 'In PascalCase a list of names also matches what the same tools are called by Copilot, and the other way round.',
  },
  {
    id: 'star-is-everything',
    behaviour: '`"matcher": "*"` matches everything in both spellings; in camelCase the agent skips such a hook.',
  },
  {
    id: 'matcher-of-a-tool',
    behaviour: '`"matcher": {"toolName": "bash"}` is read as `"matcher": "bash"`, with a warning: the agent itself takes text alone.',
  },
  {
    id: 'platform-commands',
    behaviour:
      'The `windows`, `linux` or `osx` of VS Code takes the place of `command`, but not of `bash`; a hook for another system alone is skipped, with a warning.',
  },
  { id: 'failure-text', behaviour: 'After a failed tool, exit 2 adds what stands on stderr to the context.' },
  { id: 'interrupt-is-a-deny', behaviour: '`interrupt` of a refused permission is no more than the refusal.' },
  { id: 'cwd-from-the-root', behaviour: "`cwd` is seen from the repository's root; in a file of the user's only a whole path counts." },
  {
    id: 'switched-off-here',
    behaviour: "`disableAllHooks` switches off the hooks of its own file; in the user's settings, those of his projects too.",
  },
  { id: 'one-event-missing', behaviour: '`preMcpToolCall` is not fired: `preToolUse` fires for the same tools.' },
];
