// ULIDs: 48 bits of time and 80 free bits, in Crockford's base 32.

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ULID_PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `text` is a ULID in its canonical upper-case form. */
export function isUlid(text: string): boolean {
  return ULID_PATTERN.test(text);
}

/** The ULID of a time in ms since 1970 (earlier times count as 1970) and 10 bytes. */
export function encodeUlid(timeMs: number, bytes: Uint8Array): string {
  let value = BigInt(Math.max(0, Math.floor(timeMs))) << 80n;
  value |= BigInt(`0x${Buffer.from(bytes.subarray(0, 10)).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < 26; digit++) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return text;
}

export function randomPartOf(ulid: string): string {
  return ulid.slice(10);
}

/** The same 128 bits in the format of a UUID (RFC 9562), for `urn:uuid:` IRIs. */
export function ulidToUuid(ulid: string): string {
  let value = 0n;
  for (const digit of ulid) value = (value << 5n) | BigInt(ALPHABET.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
