// What it costs a program to import the library, against an empty module. Nothing is created.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTurns, row } from './measure.mjs';
import { cost } from './process-cost.mjs';
import { folder } from './sample-project.mjs';

const LIBRARY = pathToFileURL(path.join(import.meta.dirname, '../../dist/index.js')).href;

export async function importing() {
  const [empty, library] = [path.join(folder('import'), 'empty.mjs'), path.join(folder('import'), 'library.mjs')];
  writeFileSync(empty, '');
  writeFileSync(library, `import ${JSON.stringify(LIBRARY)};\n`);
  const { medians, ratio } = await inTurns(15, { library: () => cost([library]), empty: () => cost([empty]) });
  return [
    row('import of the library (CPU)', medians.library, 'ms'),
    row('  an empty module (CPU)', medians.empty, 'ms'),
    row('import of the library, against an empty module', ratio('library', 'empty'), '×', 1.6),
  ];
}
