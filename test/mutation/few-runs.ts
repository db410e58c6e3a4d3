/** Fewer and repeatable random cases: a mutant is run against hundreds of tests, and must have the same fate in each run. */
import fc from 'fast-check';

fc.configureGlobal({ numRuns: 30, seed: 42 });
