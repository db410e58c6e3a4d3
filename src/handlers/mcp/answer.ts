/** The result of a tool as the output of a hook: its text is read like the output of a command that ended well. */
import { type Fault, fault, type Reply } from '../../core/decision/reply.ts';
import { isObject } from '../../core/values/json.ts';

const MOST_SHOWN = 500;

export function readAnswer(result: unknown, { server, tool }: { server: string; tool: string }, limitBytes: number): Reply | Fault {
  const who = `the tool '${tool}' of the server '${server}'`;
  if (!isObject(result)) return fault('malformed', `${who} answered something that is no result`);
  const { content, structuredContent, isError } = result;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isObject(part) && part['type'] === 'text' ? [String(part['text'])] : []));
  const text = texts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : texts.join('\n');
  if (isError === true) return fault('threw', `${who} answered an error: ${text.slice(0, MOST_SHOWN) || 'it gives no reason'}`);
  if (text === '' && parts.length > texts.length) return fault('malformed', `${who} answered without a text`);
  const bytes = Buffer.byteLength(text);
  if (bytes > limitBytes) return fault('oversize', `${who} answered ${bytes} bytes; at most ${limitBytes} are read`);
  return { kind: 'process', exit: 0, stdout: text, stderr: '' };
}
