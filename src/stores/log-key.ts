/**
 * The key of a state folder: it seals the head of the log and signs checkpoints. It is made once, and only its owner can read it. A process of
 * the same user can read it too, so what it proves to that user is limited.
 */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Checkpoint, checkpointText } from '../core/record/checkpoint.ts';
import type { Seal } from '../core/record/ledger.ts';

/** Loaded on demand, because most events write nothing. */
let loaded: typeof import('node:crypto') | undefined;
const crypto = () => (loaded ??= process.getBuiltinModule('node:crypto'));

export interface LogKey {
  readonly seal: Seal;
  /** The public key, as checkpoints name it. */
  readonly publicKey: string;
  sign(stated: Omit<Checkpoint, 'signature' | 'origin' | 'key'>): Checkpoint;
}

const BYTES = 32;
/** The start of a public Ed25519 key in SPKI. The 32 bytes of the key follow. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Returns undefined if there is no key and none can be made, or if the file is not a key.
 * @param make false: only looks for it
 */
export function openLogKey(stateFolder: string, origin: string, make = true): LogKey | undefined {
  const file = path.join(stateFolder, 'hookline', 'log.key');
  const seed = readSeed(file) ?? (make ? makeSeed(file) : undefined);
  if (seed?.length !== BYTES) return undefined;
  // Each use has a key of its own, so a leaked key does not reveal the other one.
  const sealKey = crypto().createHmac('sha256', seed).update('hookline head of the log').digest();
  let pair: { readonly own: import('node:crypto').KeyObject; readonly key: string } | undefined;
  const keys = () => {
    if (pair) return pair;
    // As JWK, because OpenSSL looks for a decoder and an encoder of DER longer than it takes to sign. Node derives the public part itself.
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: seed.toString('base64url'), x: '' };
    const own = crypto().createPrivateKey({ key: jwk, format: 'jwk' });
    const { x = '' } = own.export({ format: 'jwk' });
    pair = { own, key: Buffer.concat([SPKI, Buffer.from(x, 'base64url')]).toString('base64') };
    return pair;
  };
  const code = authenticator(sealKey);
  return {
    seal: { origin, of: ({ seq, hash }) => code(`${seq}\n${hash}`) },
    get publicKey() {
      return keys().key;
    },
    sign(stated) {
      const { own, key } = keys();
      const whole = { ...stated, origin, key };
      return {
        ...whole,
        signature: crypto()
          .sign(null, Buffer.from(checkpointText(whole)), own)
          .toString('base64'),
      };
    },
  };
}

const BLOCK = 64;
const LONGEST_TEXT = 256;

/**
 * Returns HMAC-SHA256 (RFC 2104) as a function of an ASCII text. Each append calls it, and an object of Node's `Hmac` for each takes three times
 * as long.
 */
export function authenticator(key: Buffer): (text: string) => string {
  const { hash } = crypto();
  const [inner, outer] = [Buffer.alloc(BLOCK + LONGEST_TEXT, 0x36), Buffer.alloc(BLOCK + BYTES, 0x5c)];
  for (const [i, byte] of key.entries()) [inner[i], outer[i]] = [byte ^ 0x36, byte ^ 0x5c];
  return (text) => {
    if (text.length > LONGEST_TEXT) throw new RangeError(`A text of ${text.length} characters cannot be sealed.`);
    inner.write(text, BLOCK, 'latin1');
    outer.write(hash('sha256', inner.subarray(0, BLOCK + text.length)), BLOCK, 'hex');
    return hash('sha256', outer, 'base64');
  };
}

/** Whether a checkpoint is what the owner of its key has signed. */
export function isSigned(checkpoint: Checkpoint): boolean {
  try {
    const key = crypto().createPublicKey({ key: Buffer.from(checkpoint.key, 'base64'), format: 'der', type: 'spki' });
    return crypto().verify(null, Buffer.from(checkpointText(checkpoint)), key, Buffer.from(checkpoint.signature, 'base64'));
  } catch {
    return false;
  }
}

function readSeed(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Several processes may make the key at once: the first one wins. A link appears with its whole contents. */
function makeSeed(file: string): Buffer | undefined {
  const seed = crypto().randomBytes(BYTES);
  const own = `${file}.${process.pid}.${crypto().randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(own, seed, { flag: 'wx', mode: 0o600 });
    chmodSync(own, 0o600);
    linkSync(own, file);
    return seed;
  } catch {
    return readSeed(file);
  } finally {
    rmSync(own, { force: true });
  }
}
