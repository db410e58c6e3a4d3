/** GitHub Copilot CLI itself. */
import { copilot } from './copilot.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';

describeAgent(copilot);
describeJourney(copilot, '{\n  "version": 1,\n  "hooks": {}\n}\n');
