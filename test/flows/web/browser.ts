/** A real Chromium: the system's where there is one, else the one that a development dependency contains. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { LONG_MS, until } from '../../support/patience.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];
const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  // The same picture on every screen.
  ...['--disable-lcd-text', '--font-render-hinting=none'],
];
const PACKAGE = '@sparticuz/chromium';

export interface Chrome {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Returns the browser of the system that is found first. */
function systemBrowser(searched: string): string | undefined {
  const folders = searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))), ...PLACES].find((file) => existsSync(file));
}

/** @param searched folders in which the browser of the system is looked for, as in `PATH` */
export async function openBrowser(searched = process.env['PATH'] ?? ''): Promise<Chrome> {
  const system = systemBrowser(searched);
  const { file, env } = system === undefined ? await unpacked() : { file: system, env: {} };
  const home = mkdtempSync(path.join(tmpdir(), 'hookline-browser-'));
  const browser = await chromium.launch({
    executablePath: file,
    args: ARGUMENTS,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  });
  return {
    browser,
    async close() {
      await browser.close();
      // Processes of the browser end a moment after it.
      rmSync(home, { recursive: true, force: true, maxRetries: 50 });
    },
  };
}

/** Unpacks it once for this copy of the project. Of several that do so at the same time, one wins. */
export async function unpacked(): Promise<{ readonly file: string; readonly env: Readonly<Record<string, string>> }> {
  const [modules = ''] = /^.*node_modules(?=[\\/]@sparticuz)/.exec(createRequire(import.meta.url).resolve(PACKAGE)) ?? [];
  const { version } = JSON.parse(readFileSync(path.join(modules, PACKAGE, 'package.json'), 'utf8')) as { readonly version: string };
  const parent = path.join(modules, '.cache/hookline-chromium');
  const folder = path.join(parent, version);
  if (!existsSync(folder)) {
    mkdirSync(parent, { recursive: true });
    const fresh = mkdtempSync(path.join(parent, 'fresh-'));
    await unpackInto(fresh, modules);
    try {
      renameSync(fresh, folder);
    } catch {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const libraries = ['al2023', 'al2'].map((name) => path.join(folder, name, 'lib')).filter((one) => existsSync(one));
  return { file: path.join(folder, 'chromium'), env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fontsIn(folder) } };
}

/**
 * The package unpacks into the temporary folder, and its libraries only where it believes to be in a cloud. A process of its own is told so, because
 * a test that makes a folder at the same time would else make it in here, and lose it. A bench bundles this module, so the
 * program is found from the project.
 */
async function unpackInto(folder: string, modules: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const program = path.join(modules, '../test/flows/web/unpack-chromium.mjs');
  await promisify(execFile)(process.execPath, [program], { env });
}

/** Its own font comes first, so that a machine without fonts shows text. */
function fontsIn(folder: string): string {
  const file = path.join(folder, 'fonts.conf');
  const dirs = [path.join(folder, 'fonts'), '/usr/share/fonts'].map((dir) => `<dir>${dir}</dir>`);
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs.join('')}<cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
  if (!existsSync(file)) writeFileSync(file, text);
  return file;
}

const VIOLATIONS =
  "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))";

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything that must not happen: errors, violations of the policy, requests to elsewhere. */
  readonly complaints: readonly string[];
}

interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly scale?: number;
}

/** Waits until an expression is true in the page. Its policy forbids the browser to evaluate text by itself. */
export function holds(page: Page, expression: string): Promise<void> {
  return until(async () => (await page.evaluate(expression)) === true);
}

/** Presses keys that belong together. They are sent at once: the second must follow the first within its time, however busy the machine is. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

/** Opens a page in a fresh profile, and collects whatever it complains about. */
export async function openTab(
  browser: Browser,
  url: string,
  { width = 1440, height = 900, theme = 'light', scale = 1 }: TabOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/net::ERR_|status of (?:4|5)\d\d/.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  page.setDefaultTimeout(LONG_MS);
  await page.addInitScript(VIOLATIONS);
  await page.goto(url);
  return { context, page, complaints };
}
