/**
 * Writes an audit as SARIF 2.1.0, the format of code scanning: one run, one rule for each kind of finding, and paths relative to the
 * project.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { AUDIT_RULES } from '../../guard/audit/rules.ts';
import type { AuditedFinding, FindingSeverity } from '../../guard/index.ts';
import type { HookAudit } from '../../trust/audit-hooks.ts';
import { hash } from '../../trust/hook-digest.ts';
import { packageVersion } from '../version.ts';

export function sarifLog(audits: readonly HookAudit[], diagnostics: readonly Diagnostic[], root: string): object {
  const entries = audits.flatMap(({ hook, findings, waived }) => [
    ...findings.map((finding) => ({ hook, finding, suppressions: undefined })),
    ...waived.map(({ finding, waiver }) => ({
      hook,
      finding,
      suppressions: [{ kind: 'external', justification: `${waiver.reason} (until ${waiver.expires})` }],
    })),
  ]);
  const rules = new Map<string, AuditedFinding>();
  for (const { finding } of entries) if (!rules.has(finding.rule)) rules.set(finding.rule, finding);
  const ids = [...rules.keys()];
  const seen = new Map<string, number>();
  const results = entries.map(({ hook, finding, suppressions }) => {
    const print = fingerprint(finding, hook.id, root, seen);
    return {
      ruleId: finding.rule,
      ruleIndex: ids.indexOf(finding.rule),
      level: LEVELS[finding.severity],
      message: { text: `Hook ${hook.name}: ${finding.message} Instead: ${finding.hint}` },
      locations: [{ physicalLocation: location(finding, root) }],
      partialFingerprints: { 'hooklineAudit/v1': print },
      properties: { hook: hook.id, severity: finding.severity, text: finding.text },
      ...(suppressions && { suppressions }),
    };
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Hookline', version: packageVersion(), rules: [...rules.values()].map(describeRule) } },
        invocations: [
          {
            executionSuccessful: !diagnostics.some(isError),
            toolExecutionNotifications: diagnostics.map((diagnostic) => note(diagnostic, root)),
          },
        ],
        originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(root).href.replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

const BASE = 'PROJECT';
const LEVELS: Readonly<Record<FindingSeverity, string>> = { catastrophic: 'error', high: 'error', medium: 'warning', low: 'note' };
/** Scores as code scanning ranks them: 9.0 and above critical, 7.0 high, 4.0 medium. */
const SCORES: Readonly<Record<FindingSeverity, string>> = { catastrophic: '9.8', high: '8.0', medium: '5.0', low: '2.0' };

function describeRule({ rule, severity, message, hint }: AuditedFinding): object {
  const own = Object.hasOwn(AUDIT_RULES, rule) ? AUDIT_RULES[rule as keyof typeof AUDIT_RULES] : undefined;
  const words = rule.replaceAll('-', ' ');
  return {
    id: rule,
    shortDescription: { text: own ? `The hook ${own.about}.` : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}` },
    fullDescription: { text: own ? `The hook ${own.about}.` : message },
    help: { text: hint },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { 'security-severity': SCORES[severity], tags: ['security', 'hooks'] },
  };
}

function location(
  { file, line, column }: { readonly file: string; readonly line?: number; readonly column?: number },
  root: string,
): object {
  return {
    artifactLocation: artifact(file, root),
    ...(line !== undefined && { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } }),
  };
}

/** A file outside the project has no path relative to it. */
function artifact(file: string, root: string): object {
  const name = path.relative(root, file);
  if (name === '' || name === '..' || name.startsWith(`..${path.sep}`) || path.isAbsolute(name)) return { uri: pathToFileURL(file).href };
  return { uri: name.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: BASE };
}

/** A finding keeps its fingerprint when lines are added above it. Equal findings are distinguished by their order. */
function fingerprint({ rule, file, text }: AuditedFinding, hook: string, root: string, seen: Map<string, number>): string {
  const key = JSON.stringify([rule, hook, path.relative(root, file), text]);
  const number = seen.get(key) ?? 0;
  seen.set(key, number + 1);
  return hash(`${key}\n${number}`).slice(0, 32);
}

function note(diagnostic: Diagnostic, root: string): object {
  const { severity, code, message, hint, file } = diagnostic;
  return {
    level: severity === 'info' ? 'note' : severity,
    descriptor: { id: code },
    message: { text: `${message}${hint === undefined ? '' : ` ${hint}`}` },
    ...(file !== undefined && { locations: [{ physicalLocation: location({ ...diagnostic, file }, root) }] }),
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
