/** Claude Code itself. */
import { claudeCode } from './claude-code.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';

describeAgent(claudeCode());
describeJourney(claudeCode(), '{\n  "hooks": {}\n}\n');
