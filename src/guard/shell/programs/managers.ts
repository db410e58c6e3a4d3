/** Version managers as data: the variable with the folder of each one, and the files in it that a shell sources. */
import { MANAGER, UNKNOWN } from '../marks.ts';

export const MANAGERS: Readonly<Record<string, readonly string[]>> = {
  NVM_DIR: ['nvm.sh', 'bash_completion'],
  SDKMAN_DIR: ['bin/sdkman-init.sh'],
  rvm_path: ['scripts/rvm', 'scripts/completion'],
  PYENV_ROOT: ['completions/pyenv.bash', 'completions/pyenv.zsh'],
  RBENV_ROOT: ['completions/rbenv.bash', 'completions/rbenv.zsh'],
  NODENV_ROOT: ['completions/nodenv.bash', 'completions/nodenv.zsh'],
  ASDF_DIR: ['asdf.sh', 'completions/asdf.bash'],
  CARGO_HOME: ['env'],
  VIRTUAL_ENV: ['bin/activate'],
  CONDA_PREFIX: ['etc/profile.d/conda.sh'],
};

export function isManagerFolder(variable: string): boolean {
  return Object.hasOwn(MANAGERS, variable);
}

/** Returns whether a path is a file that a shell sources, in the folder that the variable of a version manager names. */
export function isManagerFile(path: string): boolean {
  const start = `${UNKNOWN + MANAGER}/`;
  return path.startsWith(start) && Object.values(MANAGERS).some((files) => files.includes(path.slice(start.length)));
}
