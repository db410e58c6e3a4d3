/** A log that a user may read and not write can be read, and says why it cannot be written. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { NOW, sampleRecord, sampleTicket, sha256 } from '../postgres/samples.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));
/** Modes do not bind root, so root becomes another user. */
const OTHER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

// Modes of files mean something else on Windows.
test.skipIf(process.platform === 'win32').each(['after a clean end', 'with a write-ahead log'])(
  'of a file without permission to write, %s',
  async (how) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hookline-read-only-'));
    onTestFinished(() => {
      chmodSync(path.join(folder, 'log'), 0o755);
      rmSync(folder, { recursive: true, force: true });
    });
    chmodSync(folder, 0o755);
    mkdirSync(path.join(folder, 'log'));
    mkdirSync(path.join(folder, 'home'));
    chmodSync(path.join(folder, 'home'), 0o777);
    const file = path.join(folder, 'log', 'hookline.db');
    const store = openSqliteStore(file);
    await store.log.append(sampleRecord('first', { reason: 'the first one' }), sha256);
    await store.tickets.open(sampleTicket('old'), NOW);
    if (how === 'after a clean end') await store.close();
    for (const end of ['', '-wal', '-shm']) if (statSync(`${file}${end}`, { throwIfNoEntry: false })) chmodSync(`${file}${end}`, 0o444);
    chmodSync(path.join(folder, 'log'), 0o555);
    const run = (...argv: string[]) =>
      spawnSync(process.execPath, [BIN, ...argv, '--store', `sqlite:${file}`, '--home', path.join(folder, 'home')], {
        ...OTHER,
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, HOME: path.join(folder, 'home') },
      });
    const listed = run('log');
    expect([listed.status, listed.stdout]).toEqual([0, expect.stringContaining('the first one')]);
    expect(run('why', 'first').status).toBe(0);
    expect(run('log', 'verify').stdout).toContain('1 entry verified');
    // It is past its life, and nothing can be written about that.
    expect(JSON.parse(run('approvals', 'list', '--all', '--json').stdout).tickets).toMatchObject([{ id: 'old', state: 'expired' }]);
    const pruned = run('log', 'prune', '--before', '0s', '--yes');
    expect([pruned.status === 0, pruned.stderr]).toEqual([false, expect.stringContaining('read-only')]);
    await store.close();
  },
);
