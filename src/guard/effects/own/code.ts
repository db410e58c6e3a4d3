/**
 * Code in another language that uses Hookline: it passes the words of Hookline's command to a function, or it loads the library and calls a
 * function that settles, trusts or removes. Effects: `own.run` for the words, `own.library` with the fact `call`.
 */
import { atMost } from '../../limits.ts';
import { codeReaders } from '../../shell/code-readers.ts';
import { flavourOf } from '../../shell/foreign/flavour.ts';
import { isForeign } from '../../shell/machine.ts';
import { type Effect, type EffectReader, effect } from '../effect.ts';
import { mayAct, runEffect } from './program.ts';

const MOST_CALLS = 1024;
const SETTLES = /^(?:resume|resumeWhenSettled|approve|deny|settle|withdraw|prune|uninstall|pause|trust|protect|unprotect|revoke)$/;
const LIBRARY = /^(?:npm:)?hookline(?:@[^/]*)?(?:\/(?!package\.json)|$)|\/hookline\/(?:dist|src|bin)\/|\/bin\/hookline\.js$/i;

export const ownLibrary: EffectReader = ({ name, program }) => {
  if (!isForeign(program) || !/hookline|approvals|['"]trust['"]/i.test(program.text)) return [];
  const flavour = flavourOf(name, program.text);
  const { callsIn, tokensOf } = codeReaders();
  const tokens = tokensOf(program.text, flavour);
  const calls = atMost(callsIn(tokens, flavour), MOST_CALLS, 'the calls in a program');
  const effects: Effect[] = [];
  for (const { args } of calls) {
    const words = args.flatMap((arg) => (arg === undefined ? [] : arg));
    const at = words.findIndex((_, i) => mayAct(words.slice(i)));
    if (at !== -1) effects.push(runEffect({ words: words.slice(at), sure: false, named: false }));
  }
  const loads = tokens.some(({ kind, text }) => kind === 'string' && LIBRARY.test(text));
  const call = loads ? calls.find((one) => SETTLES.test(one.name)) : undefined;
  return call === undefined ? effects : [...effects, effect('own.library', { call: call.chain })];
};
