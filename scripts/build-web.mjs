// Builds the pages of the dashboard: one script, one style sheet and `index.html`, which names them by their digests.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = path.join(root, 'web');

/** Writes the pages to a folder. Returns the modules of the script, whose licences must be kept. */
export async function buildWeb(folder) {
  const { output } = await build({
    cwd: web,
    input: 'src/main.tsx',
    platform: 'browser',
    write: false,
    tsconfig: path.join(web, 'tsconfig.json'),
    transform: { target: 'es2022' },
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
  });
  const assets = path.join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const named = (name, text) => {
    const [base, end] = name.split('.');
    const file = `${base}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${end}`;
    writeFileSync(path.join(assets, file), text);
    return [name, file];
  };
  const files = [named('app.js', output[0].code), named('app.css', styles())];
  let page = readFileSync(path.join(web, 'index.html'), 'utf8');
  for (const [name, file] of files) page = page.replace(`assets/${name}"`, `assets/${file}"`);
  writeFileSync(path.join(folder, 'index.html'), page);
  return output;
}

/** Joins the style sheets in the order of their names, without comments and space. No string in them contains either. */
function styles() {
  const folder = path.join(web, 'style');
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}

// Alone, for those who work on the pages.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(path.join(root, 'dist/web'), { recursive: true, force: true });
  await buildWeb(path.join(root, 'dist/web'));
}
