/** The reports of a run of tests for programs: JSON, JUnit and TAP. */
import type { CaseResult } from '../../hooktest/run-case.ts';
import type { FileResult, TestRun } from '../../hooktest/run-tests.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { harmless, oneLine } from '../print/text.ts';
import { renderRun } from './print-run.ts';

export type Report = (run: TestRun) => string;

export const REPORTERS = {
  pretty: (run) => renderRun(run, terminalStyle()),
  json: (run) => jsonDocument(run),
  junit,
  tap,
} as const satisfies Record<string, Report>;

export type ReporterName = keyof typeof REPORTERS;

/** One row of a report: a case, or a file that could not be used. */
interface Row {
  readonly file: string;
  readonly name: string;
  readonly seconds: number;
  /** Undefined: it passed. */
  readonly failure?: string;
}

function rowsOf({ file, problems, cases }: FileResult): readonly Row[] {
  const broken = problems.map(({ line, column, message, hint }): Row => {
    const at = line === undefined ? '' : ` at ${line}:${column ?? 1}`;
    return { file, name: `the file can be used${at}`, seconds: 0, failure: hint === undefined ? message : `${message} ${hint}` };
  });
  return [...broken, ...cases.map((one) => rowOf(file, one))];
}

function rowOf(file: string, { name, host, ms, passed, mismatches }: CaseResult): Row {
  const failure = mismatches.map(({ what, expected, got, hint }) => {
    return `${what}: expected ${expected}, got ${got}${hint === undefined ? '' : ` (${hint})`}`;
  });
  const row = { file, name: host === undefined ? name : `${name} (as ${host})`, seconds: ms / 1000 };
  return passed ? row : { ...row, failure: failure.join('\n') };
}

function junit({ files }: TestRun): string {
  const suites = files.map((file) => {
    const rows = rowsOf(file);
    const cases = rows.map(({ name, seconds, failure }) => {
      const head = `    <testcase name="${xml(name)}" classname="${xml(file.file)}" time="${seconds.toFixed(3)}"`;
      return failure === undefined
        ? `${head}/>`
        : `${head}><failure message="${xml(oneLine(failure))}">${xml(failure)}</failure></testcase>`;
    });
    const failures = rows.filter(({ failure }) => failure !== undefined).length;
    const head = `  <testsuite name="${xml(file.file)}" tests="${rows.length}" failures="${failures}">`;
    return [head, ...cases, '  </testsuite>'].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

function xml(text: string): string {
  const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // No document of XML may have the last two.
  return harmless(text).replace(/[&<>"\ufffe\uffff]/g, (char) => escaped[char] ?? '\ufffd');
}

function tap({ files }: TestRun): string {
  const rows = files.flatMap(rowsOf);
  const lines = rows.flatMap(({ file, name, failure }, index) => {
    const head = `${failure === undefined ? 'ok' : 'not ok'} ${index + 1} - ${oneLine(name).replace(/[\\#]/g, '\\$&')}`;
    if (failure === undefined) return [head];
    return [head, '  ---', `  file: ${JSON.stringify(file)}`, `  message: ${JSON.stringify(failure)}`, '  ...'];
  });
  return ['TAP version 14', `1..${rows.length}`, ...lines, ''].join('\n');
}
