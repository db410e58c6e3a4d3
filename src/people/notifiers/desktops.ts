/** The programs that show and withdraw notifications, by operating system. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../core/values/environment.ts';

/** A program with its arguments, without a shell. A name without a folder is looked for on the PATH. */
export interface Call {
  readonly program: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Texts {
  readonly ticket: string;
  readonly title: string;
  readonly body: string;
}

/** Each list is tried in order until one call works. */
export interface Desktop {
  /** Why nothing can be shown; undefined if it can. */
  problem(env: Environment): string | undefined;
  /** The output of the call names the notification, if the system can withdraw it by that name. */
  show(texts: Texts): readonly Call[];
  /** Empty if the system cannot withdraw. */
  withdraw(texts: Texts & { readonly handle: string }): readonly Call[];
}

const NAME = 'Hookline';
const VARIABLES = ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'];

const linux: Desktop = {
  problem(env) {
    if (!VARIABLES.some((name) => (env[name] ?? '') !== '')) return `there is no desktop: ${VARIABLES.join(', ')} are not set`;
    return fileOf('notify-send', env) === undefined ? '`notify-send` is not installed' : undefined;
  },
  show({ title, body }) {
    // The body is markup, and the title is not.
    const words = [`--app-name=${NAME}`, '--urgency=critical', '--', `${NAME}: ${title}`, markup(body)];
    return [
      { program: 'notify-send', words: ['--print-id', ...words] },
      { program: 'notify-send', words },
    ];
  },
  withdraw({ handle, title, body }) {
    if (!/^\d{1,10}$/.test(handle)) return [];
    const [name, place] = ['org.freedesktop.Notifications', '/org/freedesktop/Notifications'];
    const close = ['call', '--session', '--dest', name, '--object-path', place, '--method', `${name}.CloseNotification`, handle];
    const short = [`--replace-id=${handle}`, `--app-name=${NAME}`, '--urgency=low', '--expire-time=3000'];
    return [
      { program: 'gdbus', words: close },
      { program: 'notify-send', words: [...short, '--', `${NAME}: ${title}`, markup(body)] },
    ];
  },
};

function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const macos: Desktop = {
  problem: () => undefined,
  show({ title, body }) {
    const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
    return [{ program: '/usr/bin/osascript', words: [...script.flatMap((line) => ['-e', line]), `${NAME}: ${title}`, body] }];
  },
  withdraw: () => [],
};

/** Windows shows a toast only for an application that it knows, and it knows PowerShell. */
const TOAST_APP = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe';
const TOAST_TYPES = [
  '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '[void][Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]',
];
const SHOW_TOAST = [
  ...TOAST_TYPES,
  '$m = [Windows.UI.Notifications.ToastNotificationManager]',
  '$x = $m::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)',
  "$t = $x.GetElementsByTagName('text')",
  '[void]$t.Item(0).AppendChild($x.CreateTextNode($env:HOOKLINE_TITLE))',
  '[void]$t.Item(1).AppendChild($x.CreateTextNode($env:HOOKLINE_BODY))',
  '$n = New-Object Windows.UI.Notifications.ToastNotification $x',
  "$n.Tag = $env:HOOKLINE_TAG; $n.Group = 'hookline'",
  '$m::CreateToastNotifier($env:HOOKLINE_APP).Show($n)',
];
const REMOVE_TOAST = [
  ...TOAST_TYPES,
  "[Windows.UI.Notifications.ToastNotificationManager]::History.Remove($env:HOOKLINE_TAG, 'hookline', $env:HOOKLINE_APP)",
];

function powershell(script: readonly string[], { ticket, title, body }: Texts): Call {
  const words = ['-NoProfile', '-NonInteractive', '-Command', script.join('\n')];
  const texts = { HOOKLINE_TITLE: `${NAME}: ${title}`, HOOKLINE_BODY: body, HOOKLINE_TAG: ticket.slice(0, 64), HOOKLINE_APP: TOAST_APP };
  const program = path.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  return { program, words, env: texts };
}

const windows: Desktop = {
  problem: () => undefined,
  show: (texts) => [powershell(SHOW_TOAST, texts)],
  withdraw: (texts) => [powershell(REMOVE_TOAST, texts)],
};

export const DESKTOPS: Readonly<Record<string, Desktop>> = { linux, darwin: macos, win32: windows };

/** Returns the file of a program. A relative folder on the PATH does not count, because the project could put a program there. */
export function fileOf(program: string, env: Environment): string | undefined {
  if (path.isAbsolute(program)) return program;
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, program)).find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
