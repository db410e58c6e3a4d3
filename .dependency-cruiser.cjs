/**
 * Who may import whom. Arrows point down: cli → api → builtins → dialects, handlers, engine, config, guard, patterns, formats → core.
 * Siblings are strangers: what two of them share moves to core or is written twice.
 *
 * dependency-cruiser can not read TypeScript 7: run on `src` itself it would find no module and no fault. test/architecture.test.ts runs it
 * on a skeleton of the sources: only their imports are left, those of types as imports on demand.
 */
const NODE = '^(node:)?(fs|path|os|url|util|crypto|buffer|string_decoder)(/|$)';

/** Files of a folder may import only these. */
const only = (name, folder, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one, or that a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    only('core-is-pure', 'core', ['^src/core/'], 'The core knows nothing but itself: no Node, no library, no I/O.'),
    only('engine-knows-core', 'engine', ['^src/core/', '^src/engine/'], 'What the engine needs from outside is handed in as a port.'),
    only(
      'patterns-know-core',
      'patterns',
      ['^src/core/', '^src/patterns/', 'node_modules/re2js/', '^(node:)?module$'],
      'Patterns are compiled apart from what they match.',
    ),
    only(
      'guard-knows-core',
      'guard',
      ['^src/core/', '^src/guard/', NODE, 'node_modules/unbash/'],
      'The guard judges commands and files, and knows no hook system.',
    ),
    only(
      'formats-know-core',
      'formats',
      ['^src/core/', '^src/formats/', 'node_modules/(yaml|jsonc-parser|smol-toml)/'],
      'Formats turn text into documents.',
    ),
    only(
      'config-knows-formats',
      'config',
      ['^src/core/', '^src/formats/', '^src/config/', NODE, 'node_modules/chokidar/'],
      'Configuration finds and reads files; dialects are handed in.',
    ),
    only(
      'install-knows-config',
      'install',
      ['^src/core/', '^src/formats/', '^src/config/', '^src/install/', NODE, 'node_modules/jsonc-parser/'],
      'Installing edits the files of agents; the agents are handed in.',
    ),
    only(
      'daemon-knows-core',
      'daemon',
      ['^src/core/', '^src/daemon/', NODE, '^(node:)?(http|net)$'],
      'The server carries questions and answers; who answers is handed in.',
    ),
    only('testing-knows-core', 'testing', ['^src/core/', '^src/testing/'], 'Contract suites bring no test runner and no Node module.'),
    {
      name: 'dialects-are-strangers',
      comment: 'A dialect knows the core and its own folder.',
      severity: 'error',
      from: { path: '^src/dialects/([^/]+)/' },
      to: { pathNot: ['^src/core/', '^src/dialects/$1/'] },
    },
    {
      name: 'hosts-know-their-dialect',
      comment: 'A host knows the core, its own folder and the dialect of its name.',
      severity: 'error',
      from: { path: '^src/hosts/([^/]+)/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/hosts/$1/', '^src/dialects/$1/'] },
    },
    {
      name: 'handlers-are-strangers',
      comment: 'A handler knows the core, its own folder and what stands beside the folders; the one of the guard knows the guard.',
      severity: 'error',
      from: { path: '^src/handlers/([^/]+)/', pathNot: '^src/handlers/guard/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/handlers/$1/', '^src/handlers/[^/]+\\.js$'] },
    },
    {
      name: 'guard-handler-is-a-stranger',
      severity: 'error',
      from: { path: '^src/handlers/guard/' },
      to: { path: '^src/', pathNot: ['^src/(core|guard)/', '^src/handlers/guard/', '^src/handlers/[^/]+\\.js$'] },
    },
    {
      name: 'handlers-need-no-library',
      severity: 'error',
      from: { path: '^src/handlers/' },
      to: { path: 'node_modules' },
    },
    {
      name: 'shared-handler-code-knows-core',
      severity: 'error',
      from: { path: '^src/handlers/[^/]+$' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/handlers/[^/]+\\.js$'] },
    },
    {
      name: 'stores-are-strangers',
      comment: 'A store knows the core and its own folder.',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/stores/$1/'] },
    },
    {
      name: 'notifiers-are-strangers',
      comment: 'A notifier knows the core and its own folder.',
      severity: 'error',
      from: { path: '^src/notifiers/([^/]+)/' },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/notifiers/$1/'] },
    },
    {
      name: 'nothing-imports-the-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'cli-uses-the-api',
      comment: 'The command line is made of the same piece as an agent of your own.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(cli|api|core|guard|config|install|daemon)/',
          '^src/(builtins|index)\\.js$',
          '^src/engine/(ports|plan|background)\\.js$',
        ],
      },
    },
    {
      name: 'only-the-root-composes',
      comment: 'builtins.ts is the only list of dialects, handlers, stores and notifiers.',
      severity: 'error',
      from: { path: '^src/builtins\\.js$' },
      to: {
        path: '^src/',
        pathNot: ['^src/core/', '^src/(dialects|hosts|handlers|stores|notifiers)/[^/]+/index\\.js$'],
      },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
