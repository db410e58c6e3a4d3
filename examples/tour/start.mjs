// `npm start`: the tour in the terminal, and the dashboard with the tour's session in it. `--no-ui` and CI run the tour alone.
import path from 'node:path';
import { missingSqlite, startDashboard } from './dashboard.mjs';
import { makeScratch } from './scratch.mjs';

const isAtTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
const wantsDashboard = !process.argv.includes('--no-ui') && !process.env.CI;
const missing = wantsDashboard ? missingSqlite() : undefined;

// The project is copied, because the agent works in it. The store is in the same folder, and goes with it.
const root = makeScratch(new URL('./project', import.meta.url));
const home = path.join(root, 'home');

// Started first, so that both programs load at the same time.
const dashboard = wantsDashboard && !missing ? startDashboard(home) : undefined;
let [isShown, isEnding] = [false, false];
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => void end(isShown ? 0 : code));

if (missing) console.log(`The tour runs without its dashboard: ${missing}`);
const { runTour } = await import('./tour.mjs');
const hasDashboard = (await dashboard?.ready) === true;
const running = { root, home, hasDashboard };
if (hasDashboard && isAtTerminal) {
  const looking = new Promise((resolve) => {
    running.yourTurn = () => {
      isShown = true;
      process.stdin.on('data', () => dashboard.printLink());
      resolve(dashboard.ended);
    };
  });
  const done = runTour(running).then(() => {
    console.log('The dashboard stays until Ctrl-C, or until no page was open for a while. ↵ prints another link.');
    return dashboard.ended;
  });
  await Promise.race([done, looking]);
} else await runTour(running);
await end(0);

/** Ends the dashboard first, which has files of the folder open. A second signal does not wait. */
async function end(code) {
  if (!isEnding) {
    isEnding = true;
    await dashboard?.stop();
  }
  process.exit(code);
}
