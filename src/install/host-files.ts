/** The files of a host and what should stand in each, from what the host says about its entries; the shape follows from the kind of file. */
import { isAbsolute, join } from 'node:path';
import { inHome, type Moved } from '../config/moved.ts';
import type { Host } from '../core/host.ts';
import { lineFor, type Reach } from './entry-line.ts';
import { type Head, headOf } from './file-heads.ts';
import { jsonShape } from './json-shape.ts';
import { asHttp, reachFor } from './over-http.ts';
import type { Shape, Wanted } from './shape.ts';
import { textShape } from './text-shape.ts';
import { tomlShape } from './toml-shape.ts';

export type InstallScope = 'user' | 'project';
export const INSTALL_SCOPES: readonly InstallScope[] = ['user', 'project'];

/** Where the scopes are: the user's home and the project. */
export interface Folders {
  readonly home: string;
  readonly root: string;
  /** What agents keep elsewhere than in the home. */
  readonly moved?: readonly Moved[];
}

export interface HostFile {
  readonly file: string;
  /** What it may not leave. */
  readonly bounds: string;
  readonly shape: Shape;
  readonly wanted: readonly Wanted[];
  readonly head: Head;
}

/** The files an installation in this scope is made of; none if the host has no such scope. */
export function hostFiles(host: Host, scope: InstallScope, folders: Folders, reach: Reach): readonly HostFile[] {
  const place = host.entry.files[scope];
  if (place === undefined) return [];
  const { path: base, bounds } = placeIn(place, scope, folders);
  const files = new Map<string, { shape: Shape; wanted: Wanted[] }>();
  for (const event of host.entry.events) {
    const own = reachFor(host, event, reach);
    const line = lineFor(own, host.id, event);
    const { path, value } = host.entry.entry(event, line);
    const isText = typeof value === 'string';
    const file = isText ? join(base, ...path) : base;
    const known = files.get(file) ?? { shape: isText ? textShape : base.endsWith('.toml') ? tomlShape : jsonShape, wanted: [] };
    files.set(file, known);
    const items = Array.isArray(value) ? value : [value];
    for (const item of items) known.wanted.push({ event, line, path, value: own.via === 'http' ? asHttp(item, line, own.headers) : item });
  }
  return [...files].map(([file, { shape, wanted }]) => ({ file, bounds, shape, wanted, head: headOf(file) }));
}

/** Where a file or folder of a host's is, and what it may not leave. */
export function placeIn(
  place: string,
  scope: InstallScope,
  { home, root, moved }: Folders,
): { readonly path: string; readonly bounds: string } {
  if (isAbsolute(place)) return { path: place, bounds: scope === 'user' ? home : root };
  return scope === 'user' ? inHome(place, home, moved) : { path: join(root, place), bounds: root };
}
