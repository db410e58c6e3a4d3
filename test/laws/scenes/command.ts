import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandScenes } from '../../support/command-scenes.ts';
import type { HandlerContract } from '../../support/handler-contract.ts';

let folder: string | undefined;

export const contract: HandlerContract = {
  scenes() {
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-contract-'));
    return commandScenes(folder);
  },
  close() {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  },
};
