// An MCP client behind the hooks, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import { createHookline } from 'hookline';
import { guardClient } from 'hookline/mcp';
import { performJob } from 'hookline/testing';
import { loopWith } from './mcp-loop.mjs';

const agent = loopWith(({ client }, hookline, context) => guardClient(client, hookline, context));
console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
