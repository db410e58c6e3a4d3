// Run after `npm install`: adds to package-lock.json the optional packages of other platforms that the registry in use does not offer.
// A mirror may lack the newest binaries for platforms it does not serve. npm then leaves them out of the lock, and `npm ci` on such a
// platform would install no binary at all. The entries that this script adds have no integrity; `npm install` with the public registry
// fills it in. The script is not part of the published package.
import { readFileSync, writeFileSync } from 'node:fs';

const OS = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  linux: 'linux',
  win32: 'win32',
};
Object.assign(OS, { openharmony: 'openharmony', sunos: 'sunos', aix: 'aix' });
const CPU = ['arm64', 'armhf', 'arm', 'x64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
let added = 0;
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place]) continue;
    lock.packages[place] = { version: version.replace(/^[\^~]/, ''), ...platformOf(name), ...(owner.dev && { dev: true }), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms added`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.map((word) => OS[word]).find(Boolean);
  const cpu = words
    .map((word) => CPU.find((known) => word === known || (known === 'arm' && word.startsWith('arm') && word !== 'arm64')))
    .find(Boolean);
  const libc = name.includes('musl') ? 'musl' : name.endsWith('gnu') || name.includes('gnueabi') ? 'glibc' : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && os === 'linux' && { libc: [libc] }) };
}
