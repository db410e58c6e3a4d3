/** Finds out which process of this machine sent a request, so that no process can claim to be another one. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Whether this process holds the other end of the connection. False where that cannot be seen: outside Linux, or in another namespace. */
export function isOtherEnd(pid: number, { localPort, remotePort }: Pick<Socket, 'localPort' | 'remotePort'>): boolean {
  try {
    const inode = inodeOf(remotePort ?? 0, localPort ?? 0);
    const held = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
    return inode !== undefined && held.includes(`socket:[${inode}]`);
  } catch {
    return false;
  }
}

/** A descriptor may be closed while they are read. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** 127.0.0.1 as the kernel writes it. */
const LOOPBACK = '0100007F';

function inodeOf(from: number, to: number): string | undefined {
  const end = (port: number): string => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
    if (local === end(from) && remote === end(to)) return inode;
  }
  return undefined;
}
