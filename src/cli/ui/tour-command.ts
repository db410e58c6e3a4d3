/** The command that shows something in this dashboard on a machine without any agent. */
import path from 'node:path';
import { quoted } from '../../core/contracts/entry-line.ts';
import { findProgram } from '../../install/launcher.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { packageFolder } from '../version.ts';

/** Works when it is pasted into a terminal: it names a program that is not on the PATH by its place, and the store that this dashboard shows. */
export function tourCommand(args: Arguments): string {
  const isOnPath = findProgram('hookline', process.env['PATH'] ?? '') !== undefined;
  const program = isOnPath ? ['hookline'] : ['node', path.join(packageFolder() ?? '', 'bin', 'hookline.js')];
  const places = ['home', 'store'].flatMap((name) => {
    const given = optionValue(args, name);
    // The URL of a database may have a password, which a page does not show.
    return given === undefined || given.includes('://') ? [] : [`--${name}`, given];
  });
  return [...program, 'agent', '--scripted', ...places].map((word) => quoted(word, process.platform)).join(' ');
}
