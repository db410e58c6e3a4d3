/**
 * Moves the pages of the write-ahead log into the file in a thread of its own. It syncs the disk, which takes ten milliseconds and more, and no
 * event is answered meanwhile if the thread of the events does it.
 */
import { Worker } from 'node:worker_threads';
import { CHECKPOINT_PAGES, type Database, driverFile } from './database.ts';

export interface CheckpointThread {
  /** Asks for a checkpoint, unless one is being made. */
  request(): void;
  /** Ends the thread, and resolves once it has closed the file. */
  close(): Promise<void>;
}

/**
 * The log starts anew only after a checkpoint during which nothing was written, so the thread of the events still makes one when the log is this many
 * times as long. By then almost every page is in the file.
 */
const LONGER = 4;

/** A text and no file, because a bundle of an agent has no further file. It must load the same driver: two of them would release each other's locks. */
const THREAD = `
const { parentPort, workerData: { file, driver } } = require('node:worker_threads');
process.emitWarning = () => {};
const Connection = driver === null ? require('node:sqlite').DatabaseSync : require(driver);
const connection = new Connection(file);
parentPort.on('message', (request) => {
  if (request === 'close') {
    connection.close();
    parentPort.close();
    return;
  }
  connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort.postMessage('done');
});
`;

export function startCheckpointThread(database: Pick<Database, 'file' | 'checkpointAfter'>): CheckpointThread {
  const thread = new Worker(THREAD, {
    eval: true,
    workerData: { file: database.file, driver: driverFile() },
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  });
  let isBusy = false;
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  thread.on('message', () => {
    isBusy = false;
  });
  thread.once('message', () => database.checkpointAfter(LONGER * CHECKPOINT_PAGES));
  // Without it everything is as in a process that has none.
  thread.once('error', () => database.checkpointAfter(CHECKPOINT_PAGES));
  thread.unref();
  return {
    request() {
      if (isBusy) return;
      isBusy = true;
      thread.postMessage('checkpoint');
    },
    close() {
      thread.ref();
      thread.postMessage('close');
      return ended;
    },
  };
}
