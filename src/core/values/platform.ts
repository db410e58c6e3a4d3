/** The differences between operating systems that starting and ending processes depends on. The platform is Node's name for it. */

/** The shell that runs a command line. Windows has none of its own that reads the same language; Git for Windows puts this one on the PATH. */
export function shellOf(platform: string): string {
  return platform === 'win32' ? 'sh' : '/bin/sh';
}

/** The number by which a signal reaches a process and everything it started. Without process groups that is the process alone. */
export function groupTarget(platform: string, pid: number): number {
  return platform === 'win32' ? pid : -pid;
}
