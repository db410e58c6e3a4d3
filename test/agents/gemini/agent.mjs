/** One prompt, carried out by the loop that Gemini CLI has in its core. Arguments: where the core is installed, and the prompt. */
import { openCore } from './core.mjs';

const [installed = '', prompt = ''] = process.argv.slice(2);
const { core, config } = await openCore(installed);
await config.refreshAuth(core.AuthType.USE_GEMINI);
await config.getHookSystem().fireSessionStartEvent('startup');

const session = new core.LegacyAgentSession({ config, promptId: 'prompt-of-a-test' });
const message = { content: [{ type: 'text', text: prompt }] };
for await (const event of session.sendStream({ message })) console.log(JSON.stringify(event));

await config.getHookSystem().fireSessionEndEvent('exit');
process.exit(0);
