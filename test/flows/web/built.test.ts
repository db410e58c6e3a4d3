/** Laws of the built pages: their size, and that they contain nothing inline and nothing of elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../../../dist/web');
const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
const assets = readdirSync(path.join(folder, 'assets'));
const assetText = (ending: string): string =>
  assets
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(folder, 'assets', name), 'utf8'))
    .join('\n');

test('the script has at most 60 KB, the style at most 12 KB, and there are no other files', () => {
  expect(assets.map((name) => name.replace(/\.[0-9a-f]{12}\./, '.HASH.')).sort()).toEqual(['app.HASH.css', 'app.HASH.js']);
  expect(gzipSync(assetText('.js')).length).toBeLessThanOrEqual(60 * 1024);
  expect(gzipSync(assetText('.css')).length).toBeLessThanOrEqual(12 * 1024);
});

test('the page names exactly these files, and has no script and no style inline', () => {
  expect([...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => file).sort()).toEqual(
    assets.map((name) => `assets/${name}`).sort(),
  );
  expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\bstyle=|\son\w+=/);
});

test('no file names another server', () => {
  const addresses = [page, assetText('.css'), assetText('.js')].flatMap((text) => text.match(/https?:\/\/[^\s"'`)\\]+/g) ?? []);
  const known = /^http:\/\/www\.w3\.org\/|^https:\/\/example\.com\//;
  expect(addresses.filter((address) => !known.test(address))).toEqual([]);
  expect(assetText('.css')).not.toMatch(/@font-face|@import|url\(/);
});
