/** The bundlers that Hookline is tested with: what each is told, and how its output is started. The documentation shows the same table. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The versions that come from npm. The other bundlers are installed with the project. */
const VERSIONS = {
  esbuild: '0.28.2',
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
  '@vercel/ncc': '0.45.0',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
} as const;

/** Packages that Hookline can do without. They are installed, so that a bundler could follow an import of them. */
export const OPTIONAL = ['pg', 'graphile-worker', 'better-sqlite3'] as const;

export interface Bundler {
  /** Its package. */
  readonly name: string;
  /** The setting, as the documentation shows it. */
  readonly setting: string;
  readonly version: string;
  /** Installed from npm for it. Undefined: it is installed with the project. */
  readonly packages: Readonly<Record<string, string>> | undefined;
  /** Its configuration, in addition to the agent. */
  readonly files: Readonly<Record<string, string>>;
  /** The command in `node_modules/.bin`, and its arguments. */
  readonly command: readonly [program: string, ...line: string[]];
  /** The folder that it writes, and the file in it that is started. */
  readonly output: string;
  readonly starts: string;
  /** The package `hookline` is installed next to the output, because it is not part of it. */
  readonly isExternal?: true;
  /** The output is a server that answers `POST /report`. */
  readonly isServer?: true;
}

const OUTPUT = { files: {}, output: 'out', starts: 'main.mjs' } as const;

export const BUNDLERS: readonly Bundler[] = [
  esbuild('main.mjs', '--format=esm'),
  esbuild('main.cjs', '--format=cjs'),
  esbuild('main.cjs', '--format=cjs', '--main-fields=module,main', '--minify'),
  rolldown('default', ''),
  rolldown("`resolve.mainFields: ['module', 'main']`", "resolve: { mainFields: ['module', 'main'] }"),
  vite('SSR, `ssr.noExternal: true`', 'ssr: { noExternal: true }'),
  webpack("`target: 'node'`, ESM output", ''),
  { ...fromNpm('@vercel/ncc', '`ncc build`', ['ncc', 'build', 'main.mjs', '--out', 'out'], OPTIONAL), starts: 'index.mjs' },
  next('default', ''),
  next('the optional packages are absent', '', []),
  ...[
    esbuild('main.mjs', '--format=esm', '--external:hookline'),
    // A plain name does not include `hookline/guard`.
    rolldown('`external: [/^hookline/]`', 'external: [/^hookline/]'),
    vite('SSR, default', ''),
    webpack("`target: 'node'`, ESM output, `externals: [/^hookline/]`", 'externals: [/^hookline/]'),
    next("`serverExternalPackages: ['hookline']`", "serverExternalPackages: ['hookline']"),
  ].map((bundler): Bundler => ({ ...bundler, isExternal: true })),
];

function esbuild(starts: string, ...options: readonly string[]): Bundler {
  const line = ['main.mjs', '--bundle', '--platform=node', ...options, `--outfile=out/${starts}`];
  return { ...fromNpm('esbuild', `\`--platform=node ${options.join(' ')}\``, ['esbuild', ...line], OPTIONAL), starts };
}

function rolldown(setting: string, option: string): Bundler {
  const config = `export default { input: 'main.mjs', platform: 'node', output: { dir: 'out', entryFileNames: '[name].mjs' }, ${option} };`;
  return { ...withProject('rolldown', setting, ['rolldown', '--config', 'rolldown.config.mjs']), files: { 'rolldown.config.mjs': config } };
}

function vite(setting: string, option: string): Bundler {
  const config = `export default { build: { outDir: 'out' }, ${option} };`;
  return { ...withProject('vite', setting, ['vite', 'build', '--ssr', 'main.mjs']), files: { 'vite.config.mjs': config } };
}

function webpack(setting: string, option: string): Bundler {
  const config = `export default {
    ...{ context: import.meta.dirname, entry: './main.mjs', target: 'node', experiments: { outputModule: true } },
    output: { path: import.meta.dirname + '/out', filename: 'main.mjs', module: true, chunkFormat: 'module' },
    ${option}
  };`;
  const row = fromNpm('webpack', setting, ['webpack', '--mode=production'], ['webpack-cli', ...OPTIONAL]);
  return { ...row, files: { 'webpack.config.mjs': config } };
}

function next(setting: string, option: string, optional: readonly string[] = OPTIONAL): Bundler {
  return {
    ...fromNpm('next', setting, ['next', 'build'], ['react', 'react-dom', ...optional]),
    files: {
      'next.config.mjs': `export default { output: 'standalone', ${option} };`,
      'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;',
      'app/report/route.js': `import { report } from '../../agent.mjs';
        export const POST = async (request) => Response.json(await report(await request.json()));`,
    },
    ...{ output: '.next/standalone', starts: 'server.js', isServer: true },
  };
}

function withProject(name: string, setting: string, command: Bundler['command']): Bundler {
  const { version } = manifestOf(path.join(PROJECT, 'node_modules', name));
  return { ...OUTPUT, name, setting, command, version, packages: undefined };
}

function fromNpm(name: keyof typeof VERSIONS, setting: string, command: Bundler['command'], more: readonly string[]): Bundler {
  const { devDependencies, optionalDependencies } = manifestOf(PROJECT);
  const versions: Record<string, string> = { ...devDependencies, ...optionalDependencies, ...VERSIONS };
  const packages = Object.fromEntries([name, ...more].map((id) => [id, versions[id] ?? '']));
  return { ...OUTPUT, name, setting, command, version: VERSIONS[name], packages };
}

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
