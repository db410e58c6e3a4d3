/**
 * `exec.library`: a variable that makes a program load or find other code than its own. Facts: `variable`, `value`, `place` (system,
 * dynamic, other).
 */
import { isDynamic, shown } from '../shell/marks.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';

const LOADS = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;
const FINDS = /^(LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|PATH|PYTHONPATH|PERL5LIB|RUBYLIB)$/;

export const execEnvironment: EffectReader = ({ env, name, argv }) => {
  const effects: Effect[] = [];
  for (const variable in env) {
    const value = env[variable] ?? '';
    if (value === '' || !(LOADS.test(variable) || (FINDS.test(variable) && /^(\.?:|\.$|\.\/?(:|$)|\/tmp\b|\/dev\/shm)/.test(value))))
      continue;
    effects.push(effect('exec.library', { variable, value: shown(value.slice(0, 100)), place: placeOf(value) }));
  }
  const at = name === 'enable' ? argv.indexOf('-f') : -1;
  if (at !== -1)
    effects.push(effect('exec.library', { variable: 'enable -f', value: shown(argv[at + 1] ?? ''), place: placeOf(argv[at + 1] ?? '') }));
  return effects;
};

function placeOf(value: string): string {
  if (isDynamic(value.slice(0, 1))) return 'dynamic';
  return /^\/(usr|lib|lib64|opt|nix)\//.test(value) ? 'system' : 'other';
}
