/** Bundlers from npm: `npm run test:bundlers`. */
import { BUNDLERS } from './bundlers.ts';
import { describeBundlers } from './laws.ts';

describeBundlers(BUNDLERS);
