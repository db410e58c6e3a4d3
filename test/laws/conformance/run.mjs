// Black-box conformance runner. README.md describes the case format; every entry of `checks` is one key of a case's `expect`.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const EXIT_OF = { pass: 0, allow: 0, deny: 2, ask: 3, hold: 3 };
const SETTLE_MS = 10_000; // how long a detached effect (a file, a log line, a death) may take to show
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const listOf = (value) => (value === undefined || value === null ? [] : [value].flat());
const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const tryJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const brief = (value) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
};

function readOptions() {
  const text = { type: 'string' };
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { project: text, hookline: text, module: text, filter: text, jobs: text, timeout: text, json: { type: 'boolean' } },
  });
  if (!files.length)
    throw new Error(
      'usage: node run.mjs cases.json… [--project DIR] [--hookline CMD] [--module FILE] [--filter RE] [--jobs N] [--timeout S] [--json]',
    );
  const project = path.resolve(values.project ?? '.');
  const words = values.hookline?.match(/"[^"]*"|'[^']*'|\S+/g).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  return {
    files,
    json: values.json,
    wanted: new RegExp(values.filter ?? ''),
    jobs: Math.max(1, Number(values.jobs ?? 4)),
    timeoutMs: Number(values.timeout ?? 30) * 1000,
    command: words ?? [process.execPath, path.join(project, 'bin/hookline.js')],
    module: path.resolve(values.module ?? path.join(project, 'dist/index.js')),
  };
}

// ---- the sandbox of one case
function fill(value, places) {
  if (typeof value === 'string')
    return value.replace(/\{\{(?:REPEAT:(.):(\d+)|(ROOT|HOME|HTTP|PATH))\}\}/g, (_, char, count, name) =>
      name ? places[name] : char.repeat(Number(count)),
    );
  if (Array.isArray(value)) return value.map((item) => fill(item, places));
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key, places), fill(item, places)]));
  return value;
}
const placeOf = (name, places) => (name.startsWith('~/') ? path.join(places.HOME, name.slice(2)) : path.join(places.ROOT, name));

function writeFiles(files, places, modes = {}) {
  for (const [name, text] of Object.entries(files ?? {})) {
    const target = placeOf(name, places);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
    fs.chmodSync(target, modes[name] ? Number.parseInt(modes[name], 8) : text.startsWith('#!') ? 0o755 : 0o644);
  }
}

async function startServer(answer) {
  const requests = [];
  const server = http.createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    requests.push({ method: request.method, path: request.url, headers: request.headers, body });
    await sleep(answer.delay_ms ?? 0);
    response.writeHead(answer.status ?? 200, answer.json === undefined ? {} : { 'content-type': 'application/json' });
    response.end(answer.json === undefined ? (answer.body ?? '') : JSON.stringify(answer.json));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return answer.down ? { url, requests, stop: stop() } : { url, requests, stop };
}
const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    /* already gone */
  }
};

/** Runs one command in a process group of its own; the group lives until the case ends, so that detached work can finish. */
function runProcess(argv, places, extraEnv, timeoutMs) {
  const kept = Object.entries(process.env).filter(([key]) => !/^(XDG_|HOOKLINE_|CLAUDE_|ARAWN_|HOOK_|AGENT_HOOK|EVENT$)/.test(key));
  const env = { ...Object.fromEntries(kept), HOME: places.HOME, HOOKLINE_HOME: places.HOME, NO_COLOR: '1', ...extraEnv };
  return new Promise((resolve) => {
    const started = performance.now();
    const result = { stdout: '', stderr: '', code: null };
    const child = spawn(argv[0], argv.slice(1), { cwd: places.ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid) places.groups.push(child.pid);
    const finish = (extra) => {
      clearTimeout(timer);
      resolve({ ...result, ...extra });
    };
    const timer = setTimeout(() => {
      kill(-child.pid);
      finish({ problem: `did not end within ${timeoutMs / 1000} s` });
    }, timeoutMs);
    for (const stream of ['stdout', 'stderr'])
      child[stream]?.setEncoding('utf8').on('data', (chunk) => {
        result[stream] += chunk;
      });
    child.on('error', (error) => finish({ problem: `cannot be started: ${error.message}` }));
    child.on('exit', (code, signal) => {
      const ended = { ms: performance.now() - started, code, ...(signal ? { problem: `died of ${signal}` } : {}) };
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, 2_000).unref(); // pipes held open by somebody else must not hold us
      child.on('close', () => finish(ended));
    });
  });
}

// ---- comparing
const wildcards = {
  $type: (want, actual) => (want === 'array' ? Array.isArray(actual) : actual !== null && typeof actual === want),
  $iso: (_, actual) => typeof actual === 'string' && /^\d{4}-\d\d-\d\dT/.test(actual) && !Number.isNaN(Date.parse(actual)),
  $pattern: (want, actual) => typeof actual === 'string' && new RegExp(want).test(actual),
};

/** Equality (`exact`) or inclusion; null also stands for absent; `{"$type": …}` and its like are wildcards. */
function matches(expected, actual, exact = false) {
  if (expected === null || expected === undefined) return actual === null || actual === undefined;
  if (Array.isArray(expected))
    return Array.isArray(actual) && actual.length === expected.length && expected.every((item, i) => matches(item, actual[i], exact));
  if (typeof expected !== 'object') return expected === actual;
  const [first] = Object.keys(expected);
  if (wildcards[first]) return wildcards[first](expected[first], actual);
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return false;
  const surplus = exact && Object.keys(actual).some((key) => !(key in expected));
  return !surplus && Object.entries(expected).every(([key, item]) => (!exact || key in actual) && matches(item, actual[key], exact));
}

const verdict = (ok, got) => ({ ok: Boolean(ok), got });
const linesOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
const ranOf = ({ places }) => linesOf(path.join(places.ROOT, 'ran.log'));
const joined = (value) => listOf(value).join('\n');
const said = (text, parts) =>
  listOf(parts).every((part) =>
    String(text ?? '')
      .toLowerCase()
      .includes(part.toLowerCase()),
  );
const faultsOf = (outcome) => listOf(outcome.hooks).filter((hook) => hook.fault || hook.status === 'faulted');
const diagnosticsOf = (outcome, ...severities) => listOf(outcome.diagnostics).filter((entry) => severities.includes(entry.severity));
const holdsAll = (list, wanted, met) => wanted.every((item) => listOf(list).some((found) => met(item, found)));

async function eventually(probe, end = performance.now() + SETTLE_MS) {
  let value = probe();
  for (; !value.ok && performance.now() < end; value = probe()) await sleep(50);
  return value;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()[0] !== 'Z';
  } catch {
    return !fs.existsSync('/proc');
  }
}
function diagnosticMet(wanted, found) {
  return (
    (!wanted.severity || listOf(wanted.severity).includes(found.severity)) &&
    said([found.code, found.message, found.hint].join(' '), wanted.contains) &&
    (!wanted.file || String(found.file ?? '').endsWith(wanted.file)) &&
    (wanted.line === undefined || (wanted.line === true ? Number.isInteger(found.line) : found.line === wanted.line)) &&
    (!wanted.column || Number.isInteger(found.column))
  );
}

const fileMet = (name, wanted, { places }) =>
  eventually(() => {
    const file = placeOf(name, places);
    if (!fs.existsSync(file)) return verdict(false, 'no such file');
    const text = fs.readFileSync(file, 'utf8');
    const json = tryJson(text);
    const ok =
      (wanted.text === undefined || text.trim() === wanted.text) &&
      listOf(wanted.contains).every((part) => text.includes(part)) &&
      (wanted.json === undefined || matches(wanted.json, json, true)) &&
      (wanted.includes === undefined || matches(wanted.includes, json)) &&
      listOf(wanted.keys).every((key) => Object.hasOwn(Object(json), key)) &&
      Buffer.byteLength(text) >= (wanted.min_bytes ?? 0);
    return verdict(ok, json ?? text);
  });

const checks = {
  decision: (want, { outcome: { decision }, exit = EXIT_OF[decision] }) =>
    verdict(listOf(want).includes(decision) && exit === EXIT_OF[decision], `${decision} (exit code ${exit})`),
  reason: (want, { outcome }) => verdict(outcome.reason === want, outcome.reason),
  reason_contains: (want, { outcome }) => verdict(said(outcome.reason, want), outcome.reason),
  reason_max_length: (want, { outcome }) => verdict((outcome.reason ?? '').length <= want, (outcome.reason ?? '').length),
  rewrite: (want, { outcome }) => verdict(matches(want, outcome.rewrite, true), outcome.rewrite),
  rewrite_text: (want, { outcome }) =>
    verdict([outcome.rewrite, ...Object.values(Object(outcome.rewrite))].includes(want), outcome.rewrite),
  context: (want, { outcome }) => verdict(joined(outcome.context) === (want ?? ''), outcome.context),
  context_contains: (want, { outcome }) => verdict(said(joined(outcome.context), want), outcome.context),
  notices: (want, { outcome }) => verdict(joined(outcome.notices) === (want ?? ''), outcome.notices),
  continue: (want, { outcome }) => verdict(matches(want, outcome.continue), outcome.continue),
  quiet: (want, { outcome }) => verdict(Boolean(outcome.quiet) === want, outcome.quiet),
  ticket: (want, { outcome }) => verdict(want === Boolean(outcome.ticket?.id), outcome.ticket),
  output: (want, { outcome }) => verdict(matches(want, outcome), outcome),
  blocked: (want, { outcome, threw }) => verdict(want === (threw !== undefined || outcome.continueExecution === false), threw ?? outcome),
  exit: (want, { exit }) => verdict(listOf(want).includes(exit), exit),
  fault: (want, { outcome }) =>
    verdict(
      typeof want === 'boolean' ? want === faultsOf(outcome).length > 0 : faultsOf(outcome).some((hook) => hook.fault?.kind === want),
      outcome.hooks,
    ),
  warned: (want, { outcome }) =>
    verdict(want === faultsOf(outcome).length + diagnosticsOf(outcome, 'error', 'warning').length > 0, [
      outcome.hooks,
      outcome.diagnostics,
    ]),
  hooks_loaded: (want, { outcome }) =>
    verdict(Array.isArray(outcome.hooks) && outcome.hooks.filter((hook) => hook.enabled !== false).length === want, outcome.hooks),
  hooks: (want, { outcome }) => verdict(holdsAll(outcome.hooks, want, matches), outcome.hooks),
  diagnostics: (want, { outcome }) => verdict(holdsAll(outcome.diagnostics, want, diagnosticMet), outcome.diagnostics),
  errors: (want, { outcome }) => verdict(outcome.diagnostics && diagnosticsOf(outcome, 'error').length === want, outcome.diagnostics),
  called: (want, { calls }) =>
    verdict(
      matches(
        want,
        calls.map((call) => call.label),
        true,
      ),
      calls.map((call) => call.label),
    ),
  saw: (want, { calls }) =>
    verdict(
      Object.entries(want).every(([label, args]) =>
        matches(
          args,
          calls
            .filter((call) => call.label === label)
            .at(-1)
            ?.args.slice(0, args.length),
        ),
      ),
      calls,
    ),
  ran: (want, seen) => verdict(matches(want, ranOf(seen), true), ranOf(seen)),
  ran_any_order: (want, seen) => eventually(() => verdict(matches(want.toSorted(), ranOf(seen).toSorted(), true), ranOf(seen))),
  request: ({ includes = {}, ...plain }, { requests }) => {
    const last = requests.at(-1);
    return verdict(last && matches(plain, last) && (matches(includes, {}) || matches(includes, tryJson(last.body))), last);
  },
  elapsed_max_ms: (want, { ms }) => verdict(ms <= want, Math.round(ms)),
  dead: (want, { places }) =>
    eventually(() => {
      const pids = want.map((name) => Number(linesOf(placeOf(name, places))[0]));
      return verdict(
        pids.every((pid) => pid > 1 && !isAlive(pid)),
        pids,
      );
    }),
  files: (want, seen) =>
    Promise.all(Object.entries(want).map(([name, wanted]) => fileMet(name, wanted, seen))).then((found) =>
      verdict(
        found.every((file) => file.ok),
        found.map((file) => file.got),
      ),
    ),
  any_of: (want, seen) =>
    Promise.all(want.map((choice) => compare(choice, seen))).then((tried) =>
      verdict(
        tried.some((list) => list.length === 0),
        tried,
      ),
    ),
};

async function compare(expect, seen) {
  const failures = [];
  for (const [key, want] of Object.entries(expect ?? {})) {
    const { ok, got } = (await checks[key]?.(want, seen)) ?? verdict(false, 'an expectation this runner does not know');
    if (!ok) failures.push(`${key}: expected ${brief(want)}, got ${brief(got)}`);
  }
  return failures;
}

// ---- cases that go through the command line
function cliArguments(testCase, places) {
  const via = testCase.via ?? 'fire';
  if (via === 'run') return testCase.args;
  if (via === 'check') return ['check', ...listOf(testCase.paths).map((name) => placeOf(name, places)), '--json', ...listOf(testCase.args)];
  const argv = [via];
  if (via !== 'list') argv.push(testCase.event, ...(testCase.canonical ? [] : ['--as', testCase.system]));
  for (const only of testCase.only ?? [testCase.system]) argv.push('--only', only);
  argv.push(
    '--root',
    places.ROOT,
    '--home',
    places.HOME,
    '--store',
    'memory:',
    '--json',
    ...(testCase.trust === false ? [] : ['--trust-all']),
  );
  const file = path.join(places.BASE, 'payload.json');
  fs.writeFileSync(file, JSON.stringify(testCase.payload ?? {}));
  if (testCase.payload && via !== 'list') argv.push('--payload', `@${file}`);
  return [...argv, ...listOf(testCase.args)];
}

async function runThroughCli(testCase, places, options, seen) {
  const result = await runProcess([...options.command, ...cliArguments(testCase, places)], places, testCase.env, options.timeoutMs);
  if (result.problem) return [`expected an answer, got: hookline ${result.problem}`];
  Object.assign(seen, { ms: result.ms, exit: result.code, outcome: tryJson(result.stdout) ?? (testCase.via === 'run' ? {} : undefined) });
  if (seen.outcome && typeof seen.outcome === 'object') return compare(testCase.expect, seen);
  return [
    `expected one JSON document on stdout, got ${brief(result.stdout)} (exit code ${result.code}, stderr ${brief(result.stderr.trim())})`,
  ];
}

// ---- cases that go through the TypeScript API, in a process of their own
async function runThroughApi(testCase, places, options, seen) {
  const [file, report] = ['case.json', 'report.json'].map((name) => path.join(places.BASE, name));
  fs.writeFileSync(file, JSON.stringify({ testCase, places, module: options.module, report }));
  const result = await runProcess(
    [process.execPath, fileURLToPath(import.meta.url), '--api-case', file],
    places,
    testCase.env,
    options.timeoutMs,
  );
  if (result.problem || !fs.existsSync(report))
    return [`expected an answer, got: the API ${result.problem ?? `ended early: ${brief(result.stderr.slice(-200))}`}`];
  const { steps, problem } = readJson(report);
  if (problem) return [`expected a working API, got: ${problem}`];
  const failures = await compare(testCase.expect, seen);
  for (const [i, step] of testCase.steps.entries()) {
    const wrong = step.expect ? await compare(step.expect, { ...seen, ...steps[i] }) : listOf(steps[i].threw);
    failures.push(...wrong.map((text) => `step ${i + 1}: ${text}`));
  }
  return failures;
}

/** The module behind a subpath such as `hookline/claude-agent`, by the `exports` of the package that `main` belongs to. */
async function importSubpath(main, name) {
  for (let folder = path.dirname(main); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    let target = fs.existsSync(manifest) ? readJson(manifest).exports?.[`./${name}`] : undefined;
    while (target && typeof target === 'object') target = target.import ?? target.node ?? target.default;
    if (target) return import(pathToFileURL(path.join(folder, target)));
  }
  return import(pathToFileURL(main));
}

/** A function described as data: it notes that it was called, then waits, throws or returns what the case says. */
const functionOf =
  (spec, calls) =>
  async (...args) => {
    calls.push({ label: spec.label, args: args.map((arg) => tryJson(JSON.stringify(arg) ?? 'null')) });
    if (spec.delay_ms) await sleep(spec.delay_ms);
    if (spec.throws) throw new Error(spec.throws);
    return spec.returns;
  };
const read = (object, key) => (typeof object?.[key] === 'function' ? object[key]() : object?.[key]);
async function runManager(spec, { HookManager, HookInput, HookOutput, HookContext }, calls) {
  const manager = new HookManager();
  for (const { name, events, priority = 0, timeout_secs: timeoutSecs = 60, matcher, ...hook } of spec.hooks) {
    const execute = async (input) => {
      const toolInput = read(input, 'toolInput') ?? read(input.data, 'toolInput');
      await functionOf(
        { ...hook, label: name },
        calls,
      )({ toolName: read(input, 'toolName'), toolInput, subagentId: read(input, 'subagentId') });
      const hit = listOf(hook.block_commands_with).find((part) => String(toolInput?.command).includes(part));
      const blocked = hit === undefined ? hook.block : `Blocked: contains '${hit}'`;
      const output = blocked === undefined ? HookOutput.allow() : HookOutput.block(blocked);
      const told = hook.context === undefined ? output : output.withContext(hook.context);
      return hook.output ? { ...told, ...hook.output } : told;
    };
    manager.register({ name, events, priority, timeoutSecs, execute, ...(matcher ? { toolMatcher: new RegExp(matcher) } : {}) });
  }
  const [factory, ...args] = spec.input;
  return manager.execute(spec.event, HookInput[factory](...args), new HookContext(args[0]));
}
const dispose = (handle) =>
  (typeof handle === 'function' ? handle : (handle[Symbol.dispose] ?? handle[Symbol.asyncDispose] ?? handle.dispose)).call(handle);
async function runSteps({ testCase, places, module }, steps) {
  const calls = [];
  const usesManager = testCase.steps.some((step) => step.manager);
  const library = await (usesManager ? importSubpath(module, 'claude-agent') : import(pathToFileURL(module)));
  const handlers = Object.fromEntries(
    Object.entries(testCase.options?.handlers ?? {}).map(([label, spec]) => [label, functionOf({ label, ...spec }, calls)]),
  );
  const settings = {
    root: places.ROOT,
    home: places.HOME,
    only: testCase.only ?? [testCase.system],
    store: 'memory:',
    trust: 'all',
    ...testCase.options,
    handlers,
  };
  const hookline = usesManager ? undefined : await library.createHookline(settings);
  const handles = {};
  let ticket;
  const skillHook = ({ event, matcher, ...hook }) => ({
    event,
    handler: functionOf(hook, calls),
    ...(matcher ? { matcher: new RegExp(matcher) } : {}),
  });
  const actions = {
    manager: (step) => runManager(step.manager, library, calls),
    on: (step) => {
      handles[step.label] = hookline.on(step.on, functionOf(step, calls), step.options);
    },
    registerSkill: ({ registerSkill: { name, hooks } }) => {
      handles[name] = hookline.registerSkill({ name, hooks: hooks.map(skillHook) });
    },
    dispose: (step) => dispose(handles[step.dispose]),
    fire: (step) =>
      typeof step.fire === 'string' ? hookline.fire(step.fire, step.payload ?? {}, step.context ?? {}) : hookline.fire(step.fire),
    resume: (step) => hookline.resume(ticket, step.resume),
    write: (step) => writeFiles(step.write, places),
    remove: (step) => fs.rmSync(placeOf(step.remove, places), { recursive: true, force: true }),
    reload: () => hookline.reload(),
    close: () => hookline.close(),
  };
  for (const step of testCase.steps) {
    const started = performance.now();
    const entry = { outcome: {} };
    try {
      entry.outcome = (await actions[Object.keys(actions).find((key) => key in step)](step)) ?? {};
    } catch (error) {
      entry.threw = String(error?.message ?? error);
    }
    ticket = entry.outcome.ticket?.id ?? ticket;
    steps.push({ ...entry, ms: performance.now() - started, calls: [...calls], outcome: tryJson(JSON.stringify(entry.outcome)) ?? {} });
  }
}

async function apiWorker(file) {
  const job = readJson(file);
  const report = { steps: [] };
  try {
    await runSteps(job, report.steps);
  } catch (error) {
    report.problem = String(error?.message ?? error);
  }
  fs.writeFileSync(job.report, JSON.stringify(report));
  process.exit(0);
}

// ---- running them all
async function runCase(raw, options) {
  const absent = listOf(raw.needs).find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (absent) return { skipped: `needs ${absent}`, failures: [] };
  const BASE = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'hookline-case-')));
  const places = { BASE, ROOT: path.join(BASE, 'project'), HOME: path.join(BASE, 'home'), PATH: process.env.PATH, groups: [] };
  let server;
  try {
    for (const folder of [places.ROOT, places.HOME]) fs.mkdirSync(folder);
    if (raw.server) server = await startServer(raw.server);
    const testCase = fill(raw, { ...places, HTTP: server?.url ?? 'http://127.0.0.1:1' });
    writeFiles({ ...testCase.config, ...testCase.files }, places, testCase.modes);
    for (const [name, target] of Object.entries(testCase.links ?? {})) fs.symlinkSync(target, placeOf(name, places));
    const seen = { places, requests: server?.requests ?? [], calls: [] };
    const failures = await (testCase.steps ? runThroughApi : runThroughCli)(testCase, places, options, seen);
    listOf(testCase.pids)
      .flatMap((name) => linesOf(placeOf(name, places)))
      .map(Number)
      .filter((pid) => pid > 1 && isAlive(pid))
      .forEach(kill);
    return { failures };
  } catch (error) {
    return { failures: [`expected a result, got: ${error?.stack ?? error}`] };
  } finally {
    for (const pid of places.groups) kill(-pid);
    server?.stop?.();
    try {
      fs.rmSync(BASE, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      /* somebody still writes there */
    }
  }
}

async function main() {
  const options = readOptions();
  const cases = options.files.flatMap(readJson).filter((item) => options.wanted.test(item.id));
  const [results, queue] = [[], cases.entries()];
  const worker = async () => {
    for (const [i, { id, system, title }] of queue) {
      const { failures, skipped } = await runCase(cases[i], options);
      results[i] = { id, system, title, ok: failures.length === 0, failures, skipped };
      if (!options.json && (skipped || failures.length))
        console.log(skipped ? `SKIP ${id}: ${skipped}` : `FAIL ${id}: ${failures.join('; ').replaceAll('\n', '\\n')}`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  const failed = results.filter((result) => !result.ok).length;
  const passed = results.filter((result) => result.ok && !result.skipped).length;
  console.log(options.json ? JSON.stringify({ passed, failed, results }, null, 1) : `${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

if (process.argv[2] === '--api-case') await apiWorker(process.argv[3]);
else
  await main().catch((error) => {
    console.error(error.message);
    process.exit(64);
  });
