/** The file of the machine's policy, apart from its reader, because most processes only ask whether it is there. */
export function systemPolicyFile(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  if (platform === 'darwin') return '/Library/Application Support/Hookline/policy.json';
  if (platform === 'win32') return `${env['ProgramData'] ?? 'C:\\ProgramData'}\\Hookline\\policy.json`;
  return '/etc/hookline/policy.json';
}
