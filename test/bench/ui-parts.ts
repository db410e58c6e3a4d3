/** The parts of the tests that the bench of the dashboard uses. */
export { openBrowser, openTab } from '../flows/web/browser.ts';
