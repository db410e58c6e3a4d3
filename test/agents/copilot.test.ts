/** GitHub Copilot CLI itself. */
import { copilot } from './copilot.ts';
import { describeAgent } from './laws.ts';

describeAgent(copilot);
