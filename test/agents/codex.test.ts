/** The laws of the hosts, in Codex: the tools that a model is offered differ, and what hooks can do does not. */
import { describe } from 'vitest';
import { codex } from './codex.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';

describe('with a model that calls tools', () => describeAgent(codex({ model: 'plain' })));
describe('with a model that writes code which calls tools', () => describeAgent(codex({ model: 'codes' })));
describeJourney(codex({ model: 'plain' }), '{\n  "description": "Mine.",\n  "hooks": {}\n}\n');
