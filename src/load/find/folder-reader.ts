/** Lets a loader read files in the folder of its hook, and none outside of it: not by `..`, absolute path or symlink. */
import { resolve } from 'node:path';
import type { FileFact, Format } from '../../core/contracts/dialect.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Document } from '../../core/values/document.ts';
import { loadFormat, type Parse } from '../formats/index.ts';
import { sayEmpty } from '../formats/intake.ts';
import { isBelow, realPath, statOf } from './folders.ts';
import { readText } from './read-text.ts';

export interface FolderReader {
  /** Also returns undefined while the parser is being loaded. Then `isWaiting` is true, and the same call returns the document after `settle`. */
  read(relative: string, format: Format): Document | undefined;
  stat(relative: string): FileFact | undefined;
  isWaiting(): boolean;
  settle(): Promise<void>;
  files(): readonly string[];
  diagnostics(): readonly Diagnostic[];
}

export function folderReader(folder: string, parsers: Map<Format, Parse>): FolderReader {
  const documents = new Map<string, Document | undefined>();
  const waiting: Promise<void>[] = [];
  const keep = (key: string, document: Document | undefined): Document | undefined => {
    documents.set(key, document);
    return document;
  };
  return {
    read(relative, format) {
      const file = resolve(folder, relative);
      const key = `${format}\0${file}`;
      if (documents.has(key)) return documents.get(key);
      if (!staysInside(file, folder)) return keep(key, refused(file, relative, folder));
      const parse = parsers.get(format);
      if (!parse) {
        waiting.push(loadFormat(format).then((loaded) => void parsers.set(format, loaded)));
        return undefined;
      }
      const text = readText(file);
      if (text === undefined) return keep(key, undefined);
      if ('problem' in text) return keep(key, { file, diagnostics: [text.problem] });
      const parsed = parse(file, text.text);
      if (!(parsed instanceof Promise)) return keep(key, sayEmpty(parsed, text.text, format));
      waiting.push(parsed.then((document) => void keep(key, sayEmpty(document, text.text, format))));
      return undefined;
    },
    stat(relative) {
      const path = resolve(folder, relative);
      const stat = isBelow(path, folder) ? statOf(path) : undefined;
      if (!stat?.isFile() && !stat?.isDirectory()) return undefined;
      return { kind: stat.isFile() ? 'file' : 'folder', executable: stat.isFile() && (stat.mode & 0o111) !== 0 };
    },
    isWaiting: () => waiting.length > 0,
    settle: async () => void (await Promise.all(waiting.splice(0))),
    files: () => [...documents.values()].flatMap((document) => (document ? [document.file] : [])),
    diagnostics: () => [...documents.values()].flatMap((document) => document?.diagnostics ?? []),
  };
}

function staysInside(file: string, folder: string): boolean {
  if (!isBelow(file, folder)) return false;
  const [realFile, realFolder] = [realPath(file), realPath(folder)];
  return realFile === undefined || realFolder === undefined || isBelow(realFile, realFolder);
}

function refused(file: string, relative: string, folder: string): Document {
  const message = `\`${relative}\` leads out of ${folder}, so it is not read.`;
  return {
    file,
    diagnostics: [{ severity: 'error', code: 'outside-folder', file, message, hint: 'Keep the file in the folder of the hook or plugin.' }],
  };
}
