/** A new entry in `hooks.json`, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, fileWithScript } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.windsurf/hooks/${name}.sh`;
  const value = { hooks: { pre_run_command: [{ command: path, show_output: true }] } };
  return fileWithScript({ folder: '.windsurf', name: 'hooks', value }, { path, deny: BY_EXIT_CODE }, 'Bash');
};
