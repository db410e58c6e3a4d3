import type { ChildProcess } from 'node:child_process';
import type { HandlerContract } from '../../support/handler-contract.ts';
import { httpTool, startHttpServer, stdioTool, toolOf } from '../../support/mcp-servers.ts';

const servers: ChildProcess[] = [];

export const contract: HandlerContract = {
  async scenes() {
    const started = await startHttpServer('crash');
    servers.push(started.child);
    return {
      answers: { handler: stdioTool('answer') },
      hangs: { handler: stdioTool('hang') },
      broken: [
        { handler: { type: 'mcp_tool', config: {} } },
        { handler: { type: 'mcp_tool', config: { server: 'nobody', tool: 'gate' } } },
        { handler: toolOf({ from: 'nowhere' }, undefined, { missing: 'no file defines it' }) },
        { handler: toolOf({ transport: 'stdio', command: '/nowhere/server', args: [], expands: true }) },
        { handler: toolOf({ transport: 'stdio', command: ['$', '{NO_SUCH_VARIABLE}'].join(''), args: [], expands: true }) },
        { handler: stdioTool('answer', { input: 'no map' }) },
        ...['exit', 'crash', 'error', 'picture', 'strange'].map((mode) => ({ handler: stdioTool(mode) })),
        { handler: httpTool('http://127.0.0.1:1/mcp') },
        { handler: httpTool('http://169.254.169.254/mcp') },
        { handler: httpTool('file:///etc/passwd') },
        { handler: httpTool(started.url) },
      ],
    };
  },
  skip: { floods: 'an answer is one message, so one that is too large is a fault' },
  close() {
    for (const server of servers) server.kill();
  },
};
