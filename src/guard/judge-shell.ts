/** Judges one shell text: the verdict, and the analysis that it comes from. */
import { brokenFindings } from './authored/broken.ts';
import { type Judgement, judge } from './judge.ts';
import type { Analysis } from './shell/analyse.ts';
import { type GuardOptions, type GuardVerdict, PRESETS, presetOf } from './verdict.ts';

/** A text that breaks the guard has not been understood, so a person is asked about it. The options count no more, because they may be the reason. */
function judged(command: string, options: GuardOptions): Judgement {
  try {
    // A list of words, for example, is no text.
    if (typeof command !== 'string') throw new TypeError('the command is no text');
    return judge(command, options);
  } catch {
    const doubt = { why: 'the text could not be judged', line: 1, limit: true };
    const analysis = { commands: [], shapes: [], runs: [], doubts: [doubt], written: new Map<string, string>() };
    return judge('', { analysis });
  }
}

/** Returns the verdict together with the analysis that it comes from. */
export function judgeShell(command: string, options: GuardOptions): { readonly verdict: GuardVerdict; readonly analysis: Analysis } {
  const preset = presetOf(options);
  const { findings, analysis } = judged(command, options);
  const told = [...findings, ...brokenFindings(options.broken)].map((finding) => ({
    ...finding,
    decision: PRESETS[preset][finding.severity],
  }));
  const verdict: GuardVerdict = {
    decision: told.some(({ decision }) => decision === 'deny') ? 'deny' : told.some(({ decision }) => decision === 'ask') ? 'ask' : 'none',
    preset,
    complete: analysis.doubts.length === 0,
    findings: told,
    commands: analysis.commands.map(({ argv, via }) => ({ argv, via })),
  };
  return { verdict, analysis };
}
