/** Claude Code itself. */
import { claudeCode } from './claude-code.ts';
import { describeAgent } from './laws.ts';

describeAgent(claudeCode());
