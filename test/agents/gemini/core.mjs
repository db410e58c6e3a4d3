/** The core of Gemini CLI without its terminal: all tools allowed, hooks from the settings of the user and of the project. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** `installed`: the `node_modules` it is in. */
export async function openCore(installed) {
  const core = await import(pathToFileURL(path.join(installed, '@google/gemini-cli-core/dist/index.js')).href);
  const cwd = process.cwd();
  const projectHooks = hooksIn(path.join(cwd, '.gemini/settings.json'));
  const config = new core.Config({
    sessionId: 'session-of-a-test',
    targetDir: cwd,
    cwd,
    debugMode: false,
    model: 'gemini-2.5-pro',
    approvalMode: core.ApprovalMode.YOLO,
    policyEngineConfig: { defaultDecision: core.PolicyDecision.ALLOW },
    interactive: false,
    trustedFolder: true,
    usageStatisticsEnabled: false,
    hooks: joined(hooksIn(path.join(homedir(), '.gemini/settings.json')), projectHooks),
    projectHooks,
  });
  await config.initialize();
  return { core, config };
}

function joined(first, second) {
  const events = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...events].map((event) => [event, [...(first[event] ?? []), ...(second[event] ?? [])]]));
}

function hooksIn(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return JSON.parse(lines.filter((line) => !line.trimStart().startsWith('//')).join('\n')).hooks ?? {};
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
