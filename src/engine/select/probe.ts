/**
 * One question about one facet ("does the tool match /x/?"), shared by all hooks that ask it and answered at most once per reading of an event.
 * The answer equals that of `holds` in `core/event/match.ts`.
 */

import type { Condition } from '../../core/contracts/hook.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { type Facet, facetValues } from '../../core/event/facet.ts';
import type { Test } from '../../core/event/match.ts';
import { foldCase } from './case-fold.ts';
import { compilePattern } from './compile.ts';
import { parsePattern } from './pattern-syntax.ts';
import { literalsOf } from './required-literal.ts';
import { exactValues } from './simple-pattern.ts';

/** The facets of one event, each read at most once. */
export interface Reading {
  readonly round: number;
  values(facet: Facet): readonly string[] | undefined;
}

export interface Probe {
  readonly facet: Facet;
  /** All values for which it holds. */
  readonly exact?: readonly string[];
  /** Folded. One of them occurs in every value for which it holds. */
  readonly literals?: readonly string[];
  /** How selective it is: 0 if only the test itself can rule it out. */
  readonly telling: number;
  readonly test: Test;
  /** The round of the last answer, and that answer. */
  round: number;
  answer: boolean;
}

/** A condition of a hook. */
export interface Check {
  readonly probe: Probe;
  readonly whenMissing: boolean;
}

let rounds = 0;

export function readFacets(event: HookEvent): Reading {
  const taken = new Map<Facet, readonly string[] | undefined>();
  return {
    round: ++rounds,
    values(facet) {
      if (taken.has(facet)) return taken.get(facet);
      const values = facetValues(event, facet);
      taken.set(facet, values);
      return values;
    },
  };
}

export function checkHolds({ probe, whenMissing }: Check, reading: Reading): boolean {
  const values = reading.values(probe.facet);
  return values === undefined ? whenMissing : probeHolds(probe, values, reading);
}

/** `values`: the values of the probe's facet in this reading. */
export function probeHolds(probe: Probe, values: readonly string[], { round }: Reading): boolean {
  if (probe.round !== round) {
    probe.answer = values.some(probe.test);
    probe.round = round;
  }
  return probe.answer;
}

/** Builds the checks of conditions. Equal questions share one probe. */
export function checkMaker(): (condition: Condition) => Check {
  const probes = new Map<string, Probe>();
  return (condition) => {
    const { facet, test, missing } = condition;
    const asked = test.kind === 'oneOf' ? JSON.stringify(test.values) : `${test.anchor} ${test.flags ?? ''}/${test.source}`;
    const key = `${facet} ${test.kind} ${asked}`;
    const probe = probes.get(key) ?? makeProbe(condition);
    probes.set(key, probe);
    return { probe, whenMissing: missing === 'holds' };
  };
}

function makeProbe({ facet, test }: Condition): Probe {
  const unasked = { facet, round: 0, answer: false };
  if (test.kind === 'oneOf') return { ...unasked, ...membership(test.values) };
  const syntax = parsePattern(test.source, test.flags);
  const exact = syntax && exactValues(syntax, test.anchor);
  if (exact !== undefined) return { ...unasked, ...membership(exact) };
  const literals = syntax && literalsOf(syntax);
  const late = { ...unasked, test: lateTest(() => compilePattern(test)) };
  if (literals === undefined) return { ...late, telling: 0 };
  const telling = Math.min(...literals.map(({ length }) => length));
  return { ...late, literals: [...new Set(literals.map(foldCase))], telling };
}

function membership(exact: readonly string[]): Pick<Probe, 'exact' | 'telling' | 'test'> {
  const values = new Set(exact);
  return { exact: [...values], telling: Number.POSITIVE_INFINITY, test: (value) => values.has(value) };
}

/** Compiles a pattern at its first use, because most patterns of a large set are never tried. */
function lateTest(make: () => Test): Test {
  let test: Test | undefined;
  return (value) => {
    test ??= make();
    return test(value);
  };
}
