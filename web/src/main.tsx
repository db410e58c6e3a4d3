/** The start of the page. */
import { render } from 'preact';
import { access, enter } from './data/request.ts';
import { start } from './data/state.ts';
import { startTelling } from './data/tell.ts';
import { startKeys } from './parts/keys.ts';
import { App } from './shell/app.tsx';
import { startTheme } from './shell/theme.ts';

startTheme();
startKeys();
await enter();
const page = document.getElementById('app');
if (page) {
  page.replaceChildren();
  render(<App />, page);
}
if (access.value === 'in') {
  await start();
  startTelling();
}
