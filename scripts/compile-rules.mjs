// Compiles the guard's rules (src/guard/rules/{sheets,packs}/*.yaml) into one module, so that judging a command parses no YAML, and into the
// page that lists the rules. `--check` only reports whether both files are up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';
import { parse } from 'yaml';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('../src/guard/rules', import.meta.url));
const page = fileURLToPath(new URL('../docs/guard-rules.md', import.meta.url));
const SEVERITIES = ['catastrophic', 'high', 'medium', 'low'];
const KEYS = ['id', 'severity', 'inHook', 'locked', 'match', 'unless', 'reason', 'instead', 'tests'];

const rules = [];
const examples = new Map();
const paths = {};
const evidence = {};
const commands = {};
for (const file of ['sheets', 'packs'].flatMap((kind) =>
  readdirSync(path.join(folder, kind))
    .sort()
    .map((name) => path.join(kind, name)),
)) {
  const sheet = parse(readFileSync(path.join(folder, file), 'utf8'));
  const complain = (message) => {
    console.error(`${path.join(folder, file)}: ${message}`);
    process.exit(1);
  };
  for (const key of Object.keys(sheet))
    if (!['category', 'pack', 'evidence', 'paths', 'commands', 'rules'].includes(key)) complain(`unknown key ${key}`);
  for (const [name, globs] of Object.entries(sheet.paths ?? {})) {
    if (paths[name]) complain(`path class ${name} is already defined`);
    paths[name] = { is: globs.is ?? [], not: globs.not ?? [] };
  }
  for (const [name, command] of Object.entries(sheet.commands ?? {})) {
    if (commands[name]) complain(`command ${name} is already described`);
    commands[name] = command;
  }
  if (sheet.evidence) evidence[sheet.pack] = sheet.evidence;
  for (const rule of sheet.rules ?? []) {
    for (const key of Object.keys(rule)) if (!KEYS.includes(key)) complain(`${rule.id}: unknown key ${key}`);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(rule.id ?? '')) complain(`${rule.id} is not a rule id (kebab-case)`);
    if (rules.some(({ id }) => id === rule.id)) complain(`${rule.id} is defined twice`);
    if (!SEVERITIES.includes(rule.severity)) complain(`${rule.id}: severity must be one of ${SEVERITIES.join(', ')}`);
    if (rule.inHook !== undefined && ![...SEVERITIES, 'none'].includes(rule.inHook)) complain(`${rule.id}: inHook`);
    if (typeof rule.match?.effect !== 'string') complain(`${rule.id}: match needs an effect`);
    if (typeof rule.reason !== 'string' || typeof rule.instead !== 'string') complain(`${rule.id}: reason and instead are texts`);
    if (!rule.tests?.block?.length || !rule.tests?.allow?.length) complain(`${rule.id}: needs block and allow examples`);
    const { tests, unless, ...rest } = rule;
    examples.set(rule.id, tests.block[0]);
    const exceptions = unless === undefined ? undefined : Array.isArray(unless) ? unless : [unless];
    rules.push({ category: sheet.category, ...(sheet.pack && { pack: sheet.pack }), ...rest, ...(exceptions && { unless: exceptions }) });
  }
}

const facts = await knownFacts();
paths.guard.is = [...new Set([...paths.guard.is, ...facts.hookFiles])];
const folders = paths.guard.is.filter((glob) => /\/\*\*$/.test(glob)).map((glob) => glob.slice(0, -3));
paths['guard-folder'].is = [...new Set([...paths['guard-folder'].is, ...paths.guard.is.flatMap(foldersAbove)])];
paths.guard.is = [...new Set([...paths.guard.is, ...folders])];
paths['guard-prose'].is = facts.prose;
commands.hookline = { valued: facts.valued };

const literal = (value) => JSON.stringify(JSON.stringify(value));
const table = (name, type, value) => `export const ${name}: () => ${type} = lazily(() => JSON.parse(\n  ${literal(value)},\n));\n`;
const text = `// Generated from the rules in this folder by scripts/compile-rules.mjs. Do not edit.
import { lazily } from '../lazily.ts';
import type { AgentStart, CommandSyntax, PathGlobs } from './rule.ts';

/** One JSON text for each rule. */
export const ruleTexts: () => readonly string[] = lazily(() => [
${rules.map((rule) => `  ${literal(rule)},`).join('\n')}
]);

/** The positions of the rules on an effect, or on an effect of one command. */
${table('rulePositions', 'Readonly<Record<string, readonly number[]>>', positionsOf(rules))}
export const PACKS: readonly string[] = ${JSON.stringify([...new Set(rules.flatMap(({ pack }) => pack ?? []))].sort())};

/** The signs of a project by which a pack is on. */
${table('packEvidence', 'Readonly<Record<string, readonly string[]>>', evidence)}
${table('pathClasses', 'Readonly<Record<string, PathGlobs>>', paths)}
/** Every path of a class contains one of the texts that name the class here. */
${table('pathNeedles', 'Readonly<Record<string, readonly string[]>>', needlesOf(paths))}
${table('commandSyntax', 'Readonly<Record<string, CommandSyntax>>', commands)}
${table('agentStarts', 'readonly AgentStart[]', facts.starts)}`;

const made = [
  [path.join(folder, 'compiled.ts'), text],
  [page, pageText()],
];
for (const [file, wanted] of made) {
  if (!process.argv.includes('--check')) writeFileSync(file, wanted);
  else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`${file} is out of date. Run \`npm run rules\`.`);
    process.exit(1);
  }
}

/** Returns an index of the rules. The key of a rule is its effect with the name of a command, or its effect alone if it names none. */
function positionsOf(all) {
  const index = {};
  for (const [position, { match }] of all.entries()) {
    const names = [match.command ?? []].flat();
    const isGeneral = names.length === 0 || names.some((name) => name.includes('*'));
    for (const key of isGeneral ? [match.effect] : names.map((name) => `${match.effect} ${name}`))
      index[key] = [...(index[key] ?? []), position];
  }
  return index;
}

/** Returns the texts that the globs of the classes need, without those that contain another one of the same class. */
function needlesOf(classes) {
  const index = {};
  for (const [name, { is }] of Object.entries(classes)) {
    const all = [...new Set(is.map(facts.needleOf))];
    for (const needle of all.filter((one) => !all.some((other) => other !== one && one.includes(other))))
      index[needle] = [...(index[needle] ?? []), name];
  }
  return Object.fromEntries(Object.entries(index).sort());
}

/** Returns the facts that the sources know about agents and about the command line, so that a new one is guarded at once. */
async function knownFacts() {
  const server = await createViteServer({
    root: project,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, watch: null },
    // The scan for dependencies would follow the dashboard's page, whose script exists only once it is built.
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { AGENTS } = await server.ssrLoadModule('/src/builtins.ts');
    const { OTHER_PRODUCTS, OTHER_PROGRAMS } = await server.ssrLoadModule('/src/agents/kit/other-products.ts');
    const { SPECS } = await server.ssrLoadModule('/src/cli/commands.ts');
    const { needleOf } = await server.ssrLoadModule('/src/guard/effects/files/needle.ts');
    const valued = SPECS.flatMap(({ options }) => options.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`));
    return {
      hookFiles: hookFiles(AGENTS),
      prose: proseFiles(AGENTS),
      starts: agentStarts([
        ...AGENTS.flatMap(({ host }) => host ?? []),
        ...OTHER_PRODUCTS,
        ...OTHER_PROGRAMS.map((product) => ({ ...product, signs: product })),
      ]),
      valued: [...new Set(valued)].sort(),
      needleOf,
    };
  } finally {
    await server.close();
  }
}

/** Returns globs for the files that hold hooks and for those that `hookline install` writes. */
function hookFiles(agents) {
  // Skills and subagents are mainly prose, and writing one is ordinary work.
  const places = agents.flatMap((agent) => agent.places).filter(({ kind }) => kind !== 'skill' && kind !== 'subagent');
  const entries = agents.flatMap(({ host }) => Object.values(host?.entry.files ?? {}));
  return [...places.map(placeGlob), ...entries.map(entryGlob)].sort();
}

/** Returns globs for skills and subagents, and for the folder that a skill consists of. */
function proseFiles(agents) {
  const places = agents
    .flatMap((agent) => agent.places)
    .filter(({ kind, path: folder }) => (kind === 'skill' || kind === 'subagent') && folder !== '');
  const globs = places.map(placeGlob);
  return [...new Set([...globs, ...globs.filter((glob) => glob.endsWith('/*/SKILL.md')).map((glob) => path.posix.dirname(glob))])].sort();
}

/** Returns how each agent is started without its protection. A package has the name of its last part, which is how a command names it. */
function agentStarts(products) {
  return products.flatMap(({ title, unleashed, signs, entry }) => {
    if (unleashed === null) return [];
    const { words, env } = unleashed;
    const moved = entry?.movedBy;
    const moves = { HOME: '~', ...(moved && { [moved.variable]: `~/${moved.holds}` }) };
    return [{ title, programs: [...new Set(signs.programs.map((name) => path.posix.basename(name)))], words, env, moves }];
  });
}

/** Returns the folders above a file with hooks, up to the folder of the agent, which starts with a dot. */
function foldersAbove(glob) {
  const above = [];
  for (let folder = path.posix.dirname(glob); /\/\.[^/]/.test(folder); folder = path.posix.dirname(folder)) above.push(folder);
  return above.filter((folder) => !folder.endsWith('*'));
}

function placeGlob({ base, path: folder, find: { kind, file } }) {
  const start = { system: '/', config: '~/.config/' }[base] ?? '**/';
  const below = { file, each: `*/${file}`, deep: `**/${file}`, ending: `*${file}`, endings: '**', named: '**' }[kind];
  // The caller may name any folder.
  return folder === '' ? `**/${file}` : `${start}${folder}/${below}`;
}

/** An entry without an extension is a folder with a script for each event. */
function entryGlob(file) {
  return `${file.startsWith('.') ? '**' : '~'}/${file}${path.extname(path.basename(file).slice(1)) === '' ? '/**' : ''}`;
}

function pageText() {
  const core = rules.filter(({ pack }) => pack === undefined);
  const packs = [...new Set(rules.flatMap(({ pack }) => pack ?? []))].sort();
  return `# The guard's rules

Generated from the sheets in \`src/guard/rules\` by \`npm run rules\`. The [preset](guard.md#presets) maps a severity to a decision. No setting relaxes a
locked rule (🔒). *In a hook* is the severity if the command belongs to a hook. \`–\` means that hooks may do it. Each effect completes the sentence
"This action …".

## Always on

${tables(core)}
${packs.map((pack) => `## Pack \`${pack}\`\n\n${tables(rules.filter((rule) => rule.pack === pack))}`).join('\n')}`;
}

function tables(some) {
  const head = '| rule | severity | in a hook | effect | alternative | example |\n|---|---|---|---|---|---|';
  const cell = (value) => value.replaceAll('|', '\\|').replaceAll('\n', '⏎');
  const code = (value) => (value.includes('`') ? `\`\` ${cell(value)} \`\`` : `\`${cell(value)}\``);
  const rows = some.map(({ id, severity, inHook, locked, reason, instead }) => {
    const hook = inHook === undefined ? severity : inHook === 'none' ? '–' : inHook;
    const told = reason.replace(/ \([^()]*\{[^()]*\)/g, '').replace(/\{\w+\}/g, '…');
    return `| \`${id}\`${locked ? ' 🔒' : ''} | ${severity} | ${hook} | ${cell(told)} | ${cell(instead)} | ${code(examples.get(id))} |`;
  });
  return `${head}\n${rows.join('\n')}\n`;
}
