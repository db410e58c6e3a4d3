// The tools of the tour: they really run, in the scratch folder.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { jsonSchema } from 'ai';

const run = promisify(execFile);
/** Should a hook ever fail to deny another command, the tour still does not run it. */
const HARMLESS = /^npm (?:install|test)[ \w-]*$/;

export function tourTools(root) {
  const texts = (...names) =>
    jsonSchema({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names });
  return {
    Bash: {
      description: 'Runs a command line.',
      inputSchema: texts('command'),
      async execute({ command }) {
        if (!HARMLESS.test(command)) throw new Error('The tour does not run this command.');
        // The npm of the project is a script, so that nothing comes from the network.
        const env = { PATH: `${path.join(root, 'bin')}${path.delimiter}${process.env.PATH}` };
        return (await run('/bin/sh', ['-c', command], { cwd: root, env })).stdout.trim();
      },
    },
    Deploy: {
      description: 'Deploys the service.',
      inputSchema: texts('environment'),
      execute({ environment }) {
        writeFileSync(path.join(root, 'deployed'), environment);
        return `Deployed to ${environment}.`;
      },
    },
  };
}
