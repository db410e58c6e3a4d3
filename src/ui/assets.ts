/** Serves the built pages: `index.html`, and files with a digest in their name. All of them are read once, so no request reaches the file system. */
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { send } from './respond.ts';

export interface Assets {
  /** Answers the request if the path is that of a file. Returns false if there is no such file. */
  serve(pathname: string, request: IncomingMessage, response: ServerResponse): boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Shown if the pages were not built. */
const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Hookline</title></head>
<body><h1>The dashboard is not built</h1><p>Run <code>npm run build</code> in the folder of Hookline, then start <code>hookline ui</code> again.</p></body></html>
`;

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** @param folder the built pages: `dist/web` */
export function loadAssets(folder: string): Assets {
  const files = new Map<string, Asset>([['/', assetOf('.html', read(path.join(folder, 'index.html')) ?? Buffer.from(NOT_BUILT), {})]]);
  for (const name of namesIn(path.join(folder, 'assets'))) {
    const bytes = read(path.join(folder, 'assets', name));
    const ending = path.extname(name);
    if (bytes && TYPES[ending] !== undefined) files.set(`/assets/${name}`, assetOf(ending, bytes, FOR_EVER));
  }
  return {
    serve(pathname, request, response) {
      const found = files.get(pathname);
      if (!found) return false;
      const { type, bytes, zipped, headers } = found;
      const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      const encoding = isZipped ? { 'content-encoding': 'gzip' } : {};
      send(response, 200, type, isZipped ? zipped : bytes, { vary: 'accept-encoding', ...encoding, ...headers });
      return true;
    },
  };
}

/** The name has a digest of the content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

function assetOf(ending: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Asset {
  return { type: TYPES[ending] as string, bytes, zipped: gzipSync(bytes), headers };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
