// Signed notes (https://c2sp.org/signed-note): keys of Ed25519, signatures, and verification.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** Signature types: of a log, and of a witness (https://c2sp.org/tlog-cosignature). */
const SIGNATURE_TYPES = { log: 1, witness: 4 } as const;
type Signer = keyof typeof SIGNATURE_TYPES;

const SEED_BYTES = 32;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const TIMESTAMP_BYTES = 8;
const SIGNATURE_BYTES = 64;
/** A verifier accepts at least 16 signatures; this many fit into any honest note. */
const MAX_NOTE_BYTES = 64 * 1024;
/** ASCII control characters but newlines. */
// oxlint-disable-next-line no-control-regex -- matches the characters to refuse
const CONTROLS = /[\0-\x09\x0b-\x1f]/;
const DASH = '\u2014';
/** What precedes the 32 bytes of a key in DER (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export interface VerifierKey {
  readonly name: string;
  readonly signer: Signer;
  readonly publicKey: Buffer;
  /** The first four bytes of a hash of all the others. */
  readonly id: Buffer;
}

export interface SigningKey extends VerifierKey {
  readonly privateKey: KeyObject;
}

/** A signature line of a note, verified or not. */
export interface Signature {
  readonly name: string;
  readonly keyId: Buffer;
  readonly bytes: Buffer;
  /** The whole line, without its newline. */
  readonly line: string;
}

export interface Note {
  /** With the newline at its end. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

/** A new random seed of a key, in base64. */
export function newSeed(): string {
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  return der.subarray(-SEED_BYTES).toString('base64');
}

export function isSeed(text: string): boolean {
  return decodeBase64(text)?.length === SEED_BYTES;
}

export function signingKey(name: string, signer: Signer, seed: string): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(seed, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { ...verifierKey(name, signer, spki.subarray(-PUBLIC_KEY_BYTES)), privateKey };
}

function verifierKey(name: string, signer: Signer, publicKey: Buffer): VerifierKey {
  const typed = Buffer.concat([Buffer.from([SIGNATURE_TYPES[signer]]), publicKey]);
  const named = Buffer.concat([Buffer.from(`${name}\n`), typed]);
  const id = hash('sha256', named, 'buffer').subarray(0, KEY_ID_BYTES);
  return { name, signer, publicKey, id };
}

/** A key as text: name, id and typed key, joined by "+". */
export function formatVerifierKey({ name, signer, publicKey, id }: VerifierKey): string {
  const typed = Buffer.concat([Buffer.from([SIGNATURE_TYPES[signer]]), publicKey]);
  return `${name}+${id.toString('hex')}+${typed.toString('base64')}`;
}

/** The key of a text; null if it is none, or of another type. */
export function parseVerifierKey(text: string): VerifierKey | null {
  const [, name = '', id = '', typed = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = decodeBase64(typed);
  if (bytes?.length !== 1 + PUBLIC_KEY_BYTES || !isKeyName(name)) return null;
  const [signer] = (Object.keys(SIGNATURE_TYPES) as Signer[]).filter(
    (each) => SIGNATURE_TYPES[each] === bytes[0],
  );
  if (!signer) return null;
  const key = verifierKey(name, signer, bytes.subarray(1));
  return key.id.toString('hex') === id ? key : null;
}

/** Whether two lists of verifier keys have a key in common, under whatever names. */
export function sharesKey(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(some.map(publicKeyOf));
  return others.some((key) => known.has(publicKeyOf(key)));
}

/** A line that is no key is equal to itself alone. */
function publicKeyOf(line: string): string {
  return parseVerifierKey(line)?.publicKey.toString('base64') ?? line;
}

/** Key names have no spaces and no plus, and are not empty. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}\p{Z}]+$/u.test(name);
}

/** The signature line of a key under a text, with its newline. */
export function signNote(text: string, key: SigningKey): string {
  return signatureLine(key, sign(null, Buffer.from(text), key.privateKey));
}

/** The line of a witness: it signs the text together with the time, in seconds since 1970. */
export function cosignNote(text: string, key: SigningKey, seconds: number): string {
  const timestamp = Buffer.alloc(TIMESTAMP_BYTES);
  timestamp.writeBigUInt64BE(BigInt(seconds));
  const signature = sign(null, cosignedMessage(text, BigInt(seconds)), key.privateKey);
  return signatureLine(key, Buffer.concat([timestamp, signature]));
}

function cosignedMessage(text: string, seconds: bigint): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
}

function signatureLine({ name, id }: VerifierKey, signature: Buffer): string {
  return `${DASH} ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

export function parseNote(note: string): Note | null {
  if (Buffer.byteLength(note) > MAX_NOTE_BYTES || CONTROLS.test(note)) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return null;
  const signatures = parseSignatures(note.slice(end + 2));
  return signatures && { text: note.slice(0, end + 1), signatures };
}

/** Signature lines, each with its newline, at least one; null if there is another line. */
export function parseSignatures(lines: string): Signature[] | null {
  if (!lines.endsWith('\n')) return null;
  const signatures = lines.slice(0, -1).split('\n').map(parseSignature);
  return signatures.every((each) => each !== null) ? signatures : null;
}

function parseSignature(line: string): Signature | null {
  const [, name = '', encoded = ''] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = decodeBase64(encoded);
  if (!isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES) return null;
  const [keyId, signature] = [bytes.subarray(0, KEY_ID_BYTES), bytes.subarray(KEY_ID_BYTES)];
  return { name, keyId, bytes: signature, line };
}

/** Whether a signature is one of a key. Signatures of other keys are ignored, not refused. */
export function isBy(signature: Signature, key: VerifierKey): boolean {
  return signature.name === key.name && signature.keyId.equals(key.id);
}

export function isValid(text: string, { bytes }: Signature, key: VerifierKey): boolean {
  const publicKey = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, key.publicKey]),
    format: 'der',
    type: 'spki',
  });
  if (key.signer === 'log') return verify(null, Buffer.from(text), publicKey, bytes);
  if (bytes.length <= TIMESTAMP_BYTES) return false;
  const message = cosignedMessage(text, bytes.readBigUInt64BE());
  return verify(null, message, publicKey, bytes.subarray(TIMESTAMP_BYTES));
}

/**
 * The keys out of `keys` that signed a note. Null if a signature that names one of them does not verify:
 * then the whole note is to be refused.
 */
export function signersOf(
  { text, signatures }: Note,
  keys: readonly VerifierKey[],
): VerifierKey[] | null {
  const signers: VerifierKey[] = [];
  for (const signature of signatures) {
    const key = keys.find((each) => isBy(signature, each));
    if (!key) continue;
    if (!isValid(text, signature, key)) return null;
    signers.push(key);
  }
  return signers;
}

/** The signature of a witness. */
export interface Cosignature {
  readonly name: string;
  /** When it signed, in milliseconds since 1970. */
  readonly atMs: number;
}

/** The cosignatures of a note, of known witnesses and of others; they are not verified here. */
export function cosignaturesOf(
  { signatures }: Note,
  witnesses: readonly VerifierKey[],
): { readonly known: Cosignature[]; readonly unknown: Cosignature[] } {
  const timed = signatures.filter(
    ({ bytes }) => bytes.length === TIMESTAMP_BYTES + SIGNATURE_BYTES,
  );
  const select = (isKnown: boolean) =>
    timed
      .filter((signature) => witnesses.some((each) => isBy(signature, each)) === isKnown)
      .map(({ name, bytes }) => ({ name, atMs: Number(bytes.readBigUInt64BE()) * 1000 }));
  return { known: select(true), unknown: select(false) };
}

export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
