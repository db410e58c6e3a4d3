/** The files of a host and the wanted entries of each, from the host's own description. The kind of file decides the shape. */

import { isAbsolute, join } from 'node:path';
import { blockingLine, lineFor, type Reach } from '../core/contracts/entry-line.ts';
import type { Host } from '../core/contracts/host.ts';
import { isBlockingEvent, isGating } from '../core/meaning/profile.ts';
import { isObject, type JsonObject } from '../core/values/json.ts';
import { encodeDeny } from '../engine/answer/encode.ts';
import { inHome, type Moved } from '../load/find/home.ts';
import { jsonShape } from './shapes/json-shape.ts';
import type { Head, Shape, Wanted } from './shapes/shape.ts';
import { textShape } from './shapes/text-shape.ts';
import { tomlShape } from './shapes/toml-shape.ts';

/**
 * Returns how this event reaches Hookline. An agent that sends an event to an address takes a failed request for consent. So an event that can be
 * denied is sent there only if the agent reads a denial in JSON and blocks while no server answers. Otherwise it stays a command, which works
 * without the server.
 */
export function reachFor(host: Host, event: string, reach: Reach): Reach {
  if (reach.via === 'command' || mayAskAddress(host, event, reach.failOpen)) return reach;
  const { program, installed } = reach;
  return { via: 'command', program, ...(installed !== undefined && { installed }) };
}

/** Returns the events of an installation that can be denied and may be sent to an address. */
export function gatesOverHttp(host: Host, failOpen: boolean): readonly string[] {
  return host.entry.events.filter((event) => gates(host, event) && mayAskAddress(host, event, failOpen));
}

/** Returns the same entry for a host that sends requests itself: the line becomes the address. */
export function asHttp(value: unknown, line: string, headers: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => asHttp(item, line, headers));
  if (!isObject(value)) return value;
  if (value['command'] !== line) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asHttp(item, line, headers)]));
  const { type: _, command: __, ...rest } = value as JsonObject;
  return { type: 'http', url: line, headers, ...rest };
}

function mayAskAddress(host: Host, event: string, failOpen: boolean): boolean {
  const { http } = host.entry;
  if (http === false || http.never?.includes(event)) return false;
  return !gates(host, event) || (deniesInJson(host, event) && (failOpen || http.blocksWhenDead(event)));
}

function gates(host: Host, event: string): boolean {
  const rule = host.dialect.profile.events[event];
  return rule !== undefined && isGating(rule);
}

function blocks(host: Host, event: string): boolean {
  const rule = host.dialect.profile.events[event];
  return rule !== undefined && isBlockingEvent(rule);
}

function deniesInJson(host: Host, event: string): boolean {
  const { exit, stdout } = encodeDeny(host, event, 'no');
  return exit === 0 && stdout.startsWith('{');
}

export type InstallScope = 'user' | 'project';
export const INSTALL_SCOPES: readonly InstallScope[] = ['user', 'project'];

/** Where the scopes are: the user's home and the project. */
export interface Folders {
  readonly home: string;
  readonly root: string;
  /** Folders that agents keep outside of the home. */
  readonly moved?: readonly Moved[];
}

export interface HostFile {
  readonly file: string;
  /** The folder that it must be in. */
  readonly bounds: string;
  readonly shape: Shape;
  readonly wanted: readonly Wanted[];
  readonly head: Head;
}

/** Returns the files of an installation in this scope; none if the host has no such scope. */
export function hostFiles(host: Host, scope: InstallScope, folders: Folders, reach: Reach): readonly HostFile[] {
  const place = host.entry.files[scope];
  if (place === undefined) return [];
  const { path: base, bounds } = placeIn(place, scope, folders);
  const files = new Map<string, { shape: Shape; wanted: Wanted[] }>();
  for (const event of host.entry.events) {
    const own = reachFor(host, event, reach);
    const plain = lineFor(own, host.id, event, process.platform);
    // A file that is an entry altogether starts the program itself, without the shell of the agent.
    const isText = typeof host.entry.entry(event, plain).value === 'string';
    const line = !isText && own.via === 'command' && blocks(host, event) ? blockingLine(plain, process.platform) : plain;
    const { path, value } = host.entry.entry(event, line);
    const file = isText ? join(base, ...path) : base;
    const known = files.get(file) ?? { shape: isText ? textShape : base.endsWith('.toml') ? tomlShape : jsonShape, wanted: [] };
    files.set(file, known);
    const items = Array.isArray(value) ? value : [value];
    for (const item of items) known.wanted.push({ event, line, path, value: own.via === 'http' ? asHttp(item, line, own.headers) : item });
  }
  return [...files].map(([file, { shape, wanted }]) => ({ file, bounds, shape, wanted, head: host.fileHead ?? {} }));
}

/** Returns the path of a host's file or folder, and the folder that it must be in. */
export function placeIn(
  place: string,
  scope: InstallScope,
  { home, root, moved }: Folders,
): { readonly path: string; readonly bounds: string } {
  if (isAbsolute(place)) return { path: place, bounds: scope === 'user' ? home : root };
  return scope === 'user' ? inHome(place, home, moved) : { path: join(root, place), bounds: root };
}
