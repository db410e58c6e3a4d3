/**
 * The reader for git. It parses a command line once and turns every relevant part into an effect. A command that only prints help has no
 * effect.
 */
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, type EffectReader, effect } from '../effect.ts';
import { type GitLine, gitLine } from './command-line.ts';
import { configEffects } from './config.ts';
import { discards } from './discards.ts';
import { losses, pushes } from './losses.ts';
import { type Options, readOptions } from './options.ts';
import { transportEffects } from './transport.ts';

export const git: EffectReader = (command) => {
  const line = gitLine(command.name, command.argv, command.env);
  if (line === undefined) return [];
  const options = readOptions(line.subcommand, line.args);
  const settled = [...configEffects(line, command.env), ...transportEffects(line, options)];
  if (isDynamic(line.subcommand)) return [...settled, effect('git.uncertain', { subcommand: line.subcommand, what: 'subcommand' })];
  if (options.help) return settled;
  const done = [...discards(line, options), ...losses(line, options, command.stdin), ...pushes(line, options)];
  return [...settled, runEffect(line, options), ...(options.partial ? done.map(uncertainEffect) : done)];
};

/** Returns the effect that the subcommand runs, with its options by their long names. */
function runEffect({ subcommand }: GitLine, { given, operands }: Options): Effect {
  const option = given.map(({ name, on }) => (name.length === 1 ? `-${name}` : on ? `--${name}` : `--no-${name}`));
  return effect('git.run', { subcommand, option, operand: operands });
}

/** Returns an uncertain effect for a command that has a partly known option. */
function uncertainEffect({ kind, facts }: Effect): Effect {
  return effect('git.uncertain', { subcommand: facts['how'] ?? kind, what: 'option' });
}
