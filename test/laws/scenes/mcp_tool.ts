import type { HandlerContract } from '../../support/handler-contract.ts';

export const contract: HandlerContract = {
  unavailable: { law: 'a tool of an MCP server cannot be called without a client, and the fault says so', says: 'MCP' },
};
