// A complete agent. Its hooks have three formats: .agents/hooks, hooks/*/HOOK.toml and .claude/settings.json.
//   node examples/agent/agent.mjs                                  follows a script and ends: no key, no network
//   node examples/agent/agent.mjs anthropic:claude-sonnet-4-5      a conversation with a model, with your key
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jsonSchema } from 'ai';
import { createAgent, cron, scriptedModel, terminalChannel, watchDocuments } from 'hookline/agent';

const folder = mkdtempSync(path.join(tmpdir(), 'hookline-agent-'));
cpSync(new URL('./project', import.meta.url), folder, { recursive: true });

const read = (file_path) => ({ calls: [{ tool: 'Read', input: { file_path } }] });
const script = [read('secret.txt'), read('plan.md'), 'The secret stays a secret. Version 2 ships on Monday.'];
const [name] = process.argv.slice(2);
const terminal = terminalChannel();

const agent = await createAgent({
  model: name ?? scriptedModel(script),
  system: 'You answer questions about the files of this folder: plan.md and secret.txt.',
  cwd: folder,
  hooks: { root: folder, home: path.join(folder, 'home'), trust: 'all' }, // these hooks belong to the example
  tools: {
    Read: {
      description: 'Returns the text of a file.',
      inputSchema: jsonSchema({ type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] }),
      execute: ({ file_path }) => readFileSync(path.join(folder, path.basename(file_path)), 'utf8'),
    },
  },
  channels: name === undefined ? [] : [terminal],
  schedule: [watchDocuments(['plan.md'], { root: folder }), cron([{ name: 'morning', at: '0 9 * * mon-fri', text: 'What is next?' }])],
  onEvent(event) {
    if (event.type === 'hook' && event.outcome.decision === 'deny') console.log(`${event.kind} denied: ${event.outcome.reason}`);
  },
});
await agent.start();
if (name === undefined) console.log((await agent.send('Tell me the plan and the secret.')).text);
else await terminal.closed;
await agent.stop();
const turns = path.join(folder, 'turns.txt'); // a hook writes it
if (existsSync(turns)) console.log(readFileSync(turns, 'utf8').trim());
rmSync(folder, { recursive: true, force: true });
