/** What others rely on by name or number: frozen. A red pin asks "on purpose?". */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as agent from '../../../src/agent.ts';
import * as ai from '../../../src/ai.ts';
import * as claudeAgent from '../../../src/api/claude-agent/hook-manager.ts';
import * as testing from '../../../src/api/testing/index.ts';
import { EXIT } from '../../../src/cli/command.ts';
import { EVENT_KINDS } from '../../../src/core/event/event.ts';
import { ERROR_CODES } from '../../../src/core/values/errors.ts';
import * as guard from '../../../src/guard.ts';
import * as api from '../../../src/index.ts';

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'));

test('the exit codes of the command line', () => {
  expect(EXIT).toEqual({ ok: 0, negative: 1, blocked: 2, held: 3, usage: 64, bug: 70, config: 78 });
});

test('the codes of errors', () => {
  expect(Object.keys(ERROR_CODES).sort()).toEqual([
    'agent-denied',
    'bad-conversation',
    'bad-installation',
    'bad-lock',
    'bad-option',
    'bad-payload',
    'closed',
    'hooks-missing',
    'model-unavailable',
    'nothing-parked',
    'store-unavailable',
    'ticket-settled',
    'unguarded',
    'unknown-dialect',
    'unknown-event',
    'unknown-grant',
    'unknown-hook',
    'unknown-model',
    'unknown-ticket',
    'unreadable-source',
  ]);
});

test('the kinds of events', () => {
  expect(EVENT_KINDS).toHaveLength(58);
});

test('what the package exports, and its program', () => {
  const entries = [
    '.',
    './agent',
    './ai',
    './claude-agent',
    './claude-agent-sdk',
    './guard',
    './hook',
    './langchain',
    './mastra',
    './mcp',
    './openai-agents',
    './testing',
  ];
  expect(Object.keys(manifest.exports)).toEqual([...entries, './package.json']);
  expect(manifest.bin).toEqual({ hookline: 'bin/hookline.js', 'hookline-hook': 'bin/hookline-hook' });
  expect(manifest.engines).toEqual({ node: '>=20.19' });
});

test('what the modules export', () => {
  expect(Object.keys(api).sort()).toEqual([
    'EVENT_KINDS',
    'HaltError',
    'HeldError',
    'HooklineError',
    'createHookline',
    'explain',
    'explainHook',
    'registerHandler',
    'verifyWebhook',
    'wrapTool',
  ]);
  expect(Object.keys(agent).sort()).toEqual([
    ...['Agent', 'createAgent', 'cron', 'fileConversations', 'heartbeat', 'hookTools', 'httpChannel', 'memoryConversations', 'openModel'],
    ...['scriptedModel', 'startAgent', 'storeConversations', 'terminalChannel', 'watchDocuments'],
  ]);
  expect(Object.keys(ai).sort()).toEqual(['HaltError', 'guardTools', 'heldCalls', 'judgeWith', 'middleware', 'resumeMessages']);
  expect(Object.keys(claudeAgent).sort()).toEqual([
    'CommandHook',
    'ExecutionContext',
    'FnHook',
    'HookContext',
    'HookEvent',
    'HookInput',
    'HookManager',
    'HookOutput',
    'fnHook',
  ]);
  expect(Object.keys(guard).sort()).toEqual(['guardCommand', 'guardTool', 'reasonFor']);
  expect(Object.keys(testing).sort()).toEqual([
    'describeAdapter',
    'describeDialect',
    'describeHandler',
    'describeHost',
    'describeStore',
    'performJob',
    'sampleEvent',
    'testHook',
  ]);
});
