/**
 * The plugin file, as text. It runs in OpenCode's process and has no part of Hookline in it: it starts the command with the event's name,
 * hands over the payload, and carries out the answer. A gate that gets no answer throws, which is how a plugin says no.
 */

export function pluginText(command: string): string {
  return TEMPLATE.replace('"COMMAND"', () => JSON.stringify(command));
}

/** Whether this is that file, of any version. */
export function isOwnPlugin(text: string): boolean {
  return text.startsWith('// Written by `hookline install opencode`;');
}

const TEMPLATE = `// Written by \`hookline install opencode\`; \`hookline uninstall opencode\` takes it out again.
import { spawn } from 'node:child_process';

const command = "COMMAND";
const longest = 600_000;
const gates = ['tool.execute.before', 'chat.message', 'command.execute.before'];
const told = ['session.created', 'session.idle', 'session.error', 'session.compacted', 'file.edited'];

function run(event, payload, directory) {
  return new Promise((resolve, reject) => {
    const child = spawn(command + ' ' + event, { shell: true, cwd: directory, windowsHide: true });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('Hookline did not answer in time.'));
    }, longest);
    const output = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve({ text: output.out.trim(), notes: output.err.trim() });
      else reject(new Error(output.err.trim() || 'Hookline ended with exit code ' + code + '.'));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ opencode: event, directory, ...payload }));
  });
}

// OpenCode's server hides the message of an error behind "Unexpected server error", unless the error has one of the names it passes on.
function objection(reason) {
  const error = new Error(reason);
  const data = { message: reason };
  return Object.assign(error, { name: 'ConfigInvalidError', data, toObject: () => ({ name: 'UnknownError', data }) });
}

export const Hookline = async ({ directory, client }) => {
  // In the corner of the terminal. Without a terminal there is none.
  const toast = (message, variant) => {
    try {
      void client?.tui?.showToast?.({ body: { title: 'Hookline', message, variant } })?.catch?.(() => {});
    } catch {}
  };
  // A denied prompt has no place in the conversation, so its reason is also shown as a toast.
  const askForPrompt = async (event, payload) => {
    try {
      return await ask(event, payload);
    } catch (error) {
      const message = String(error?.message ?? error);
      toast(message, 'error');
      throw objection(message);
    }
  };
  const ask = async (event, payload) => {
    let answer = {};
    try {
      const { text, notes } = await run(event, payload, directory);
      // Notes for the person, such as that a hook failed.
      if (notes !== '') toast(notes, 'warning');
      if (text !== '') answer = JSON.parse(text);
      if (typeof answer !== 'object' || answer === null) throw new Error('it answered ' + text);
    } catch (error) {
      answer = {};
      if (gates.includes(event)) throw new Error('Hookline could not judge this: ' + (error?.message ?? error));
    }
    if (typeof answer.deny === 'string') throw new Error(answer.deny);
    return answer;
  };
  const textParts = (parts) => (Array.isArray(parts) ? parts.filter((part) => part?.type === 'text' && typeof part.text === 'string') : []);

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const { args } = await ask('tool.execute.before', { tool, sessionID, callID, args: output.args });
      if (!args) return;
      for (const key of Object.keys(output.args ?? {})) delete output.args[key];
      output.args = Object.assign(output.args ?? {}, args);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const { output: other, context } = await ask('tool.execute.after', { tool, sessionID, callID, args, output: output.output });
      if (other !== undefined) output.output = other;
      if (context) output.output = (output.output ?? '') + '\\n\\n' + context;
    },
    'chat.message': async ({ sessionID, agent }, output) => {
      const parts = textParts(output.parts);
      const prompt = parts.map((part) => part.text).join('\\n');
      const { prompt: other, context } = await askForPrompt('chat.message', { sessionID, agent, prompt });
      if (parts.length === 0) {
        if (other !== undefined) throw objection('Hookline would replace this prompt, and there is no text in it.');
        return;
      }
      if (other !== undefined) for (const [index, part] of parts.entries()) part.text = index === 0 ? other : '';
      if (context) parts[0].text += '\\n\\n' + context;
    },
    'command.execute.before': async ({ command: name, sessionID, arguments: words }, output) => {
      const prompt = textParts(output?.parts).map((part) => part.text).join('\\n');
      await askForPrompt('command.execute.before', { sessionID, command: name, arguments: words, prompt });
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const { context } = await ask('experimental.session.compacting', { sessionID });
      if (context && Array.isArray(output?.context)) output.context.push(context);
    },
    event: async ({ event }) => {
      if (!told.includes(event?.type)) return;
      const { sessionID, info, file, error } = event.properties ?? {};
      await ask(event.type, { sessionID: sessionID ?? info?.id, file, error }).catch(() => {});
    },
    dispose: async () => {
      await ask('dispose', {}).catch(() => {});
    },
  };
};
`;
