/** Deleting, moving away or opening up what the system or a person lives in. */
import type { Accusation } from '../findings.ts';
import { searched } from '../shell/carriers.ts';
import { deletedPaths } from '../shell/foreign.ts';
import { type Effective, isForeign } from '../shell/machine.ts';
import { isOpaque, shown } from '../shell/marks.ts';
import { hasLong, readArguments } from './arguments.ts';
import { classify, type PathClass } from './path.ts';

const NAMES: Partial<Record<PathClass, string>> = {
  root: 'the root',
  system: 'a system folder',
  home: 'a home folder',
  secret: 'a folder of keys or settings',
};
const DELETES_FOUND = / -(exec|execdir|ok|okdir) (\S*\/)?(rm|unlink|shred) /;
const DELETE_HINT = 'Delete a named folder below the project or the temp folder.';

export function deletion(command: Effective): readonly Accusation[] {
  const { name, argv, cwd } = command;
  if (name === 'rm' || name === 'grm' || name === 'srm' || name === 'del') return removal(command);
  if (name === 'find' && (argv.includes('-delete') || DELETES_FOUND.test(argv.join(' ')))) return found(argv, cwd);
  if (name === 'rsync') return synchronised(argv, cwd);
  if (name === 'mv') return moved(argv, cwd);
  if (name === 'chmod' || name === 'chown' || name === 'chgrp' || name === 'setfacl') return opening(command);
  if (isForeign(command.program)) return targets(deletedPaths(command.program.text), cwd, 'Recursively deletes');
  return [];
}

function removal({ argv, cwd }: Effective): readonly Accusation[] {
  const { short, long, operands } = readArguments(argv);
  if (long.some((option) => option.startsWith('--no-p')))
    return [
      {
        rule: 'delete-root',
        severity: 'catastrophic',
        message: 'Switches off the protection of the root from deletion.',
        hint: DELETE_HINT,
      },
    ];
  // Options that are not known may hold the one that makes it recursive.
  const recursive = short.has('r') || short.has('R') || hasLong(long, 'recursive') || argv.slice(1, -1).some(isOpaque);
  return recursive
    ? targets(operands, cwd, 'Recursively deletes')
    : targets(
        operands.filter((path) => /\/\*$/.test(path)),
        cwd,
        'Deletes what is in',
      );
}

function moved(argv: readonly string[], cwd: string): readonly Accusation[] {
  const sources = readArguments(argv).operands.slice(0, -1);
  return targets(sources, cwd, 'Moves away').flatMap((accusation) =>
    accusation.severity === 'medium' ? [] : [{ ...accusation, severity: 'high' as const }],
  );
}

function synchronised(argv: readonly string[], cwd: string): readonly Accusation[] {
  const { short, long, operands } = readArguments(argv);
  const dry = short.has('n') || long.includes('--dry-run');
  return !dry && long.some((option) => option.startsWith('--del'))
    ? targets(operands.slice(-1), cwd, 'Deletes what is not in the source from')
    : [];
}

function found(argv: readonly string[], cwd: string): readonly Accusation[] {
  const { roots, narrowed } = searched(argv);
  const bad = targets(roots, cwd, 'Recursively deletes');
  if (!narrowed) return bad;
  return bad.flatMap((accusation) => (accusation.severity === 'medium' ? [] : [{ ...accusation, severity: 'medium' as const }]));
}

function targets(paths: readonly string[], cwd: string, verb: string): readonly Accusation[] {
  return paths.flatMap((path): readonly Accusation[] => {
    const kind = classify(path, cwd);
    const what = NAMES[kind];
    if (what !== undefined) {
      const severity = kind === 'secret' ? 'high' : 'catastrophic';
      return [
        {
          rule: kind === 'root' ? 'delete-root' : `delete-${kind}`,
          severity,
          message: `${verb} ${what} (${shown(path)}).`,
          hint: DELETE_HINT,
        },
      ];
    }
    if (kind === 'here' || kind === 'temp-root')
      return [
        {
          rule: 'delete-broad',
          severity: 'medium',
          message: `${verb} all of ${kind === 'here' ? 'the working folder' : 'the temp folder'} (${shown(path)}).`,
          hint: DELETE_HINT,
        },
      ];
    if (kind === 'dynamic')
      return [
        {
          rule: 'delete-dynamic',
          severity: 'medium',
          message: `${verb} a path that is only known when it runs (${shown(path)}).`,
          hint: 'Begin the path with a fixed folder, and stop if the variable is empty.',
        },
      ];
    return [];
  });
}

function opening({ name, argv, cwd }: Effective): readonly Accusation[] {
  const { short, long, operands } = readArguments(argv);
  const paths = operands.map((path) => ({ path, kind: classify(path, cwd) }));
  const recursive = short.has('R') || hasLong(long, 'recursive', 4);
  const bad = paths.find(
    ({ kind }) =>
      (recursive && (kind === 'root' || kind === 'system' || kind === 'home')) ||
      (name === 'chmod' && kind === 'account' && /^[0-7]*[2367]$|[oa]?\+.*w/.test(operands[0] ?? '')),
  );
  if (bad === undefined) return [];
  return [
    {
      rule: 'permissions',
      severity: 'high',
      message: `Changes the permissions or the owner of ${NAMES[bad.kind] ?? 'an account file'} (${shown(bad.path)}).`,
      hint: 'Change only the files of the project.',
    },
  ];
}
