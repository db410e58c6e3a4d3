/** A new script. Its file has the name of the event, so only the test has the name of the hook. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { byReply, REASON, script } from '../kit/scaffold/parts.ts';

/** Cline runs every script of an event, whatever its ending, in both folders of a project. */
const [FIRST = '', ...ELSEWHERE] = ['.clinerules/hooks', '.cline/hooks'].flatMap((folder) =>
  ['', '.sh', '.bash', '.zsh'].map((ending) => `${folder}/PreToolUse${ending}`),
);

export const scaffold: WriteScaffold = (name) => ({
  files: [{ ...script(FIRST, byReply({ cancel: true, errorMessage: REASON })), elsewhere: ELSEWHERE }],
  test: `.clinerules/hooks/${name}.hooktest.yaml`,
  tool: 'execute_command',
});
