// Byte buffers: a growing writer, and typed arrays packed into one for the store.

/** Writes UTF-8 text into one growing buffer. */
export class ByteWriter {
  #buffer: Buffer<ArrayBuffer>;
  #length = 0;

  /** `capacity` in bytes. A sufficient capacity avoids copies; unused pages take no memory. */
  constructor(capacity = 64 * 1024) {
    this.#buffer = Buffer.from(new ArrayBuffer(capacity));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    // A UTF-16 code unit takes at most 3 bytes.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  writeByte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  /** The bytes written, without a copy: the underlying memory may be larger. */
  finish(): Buffer {
    return Buffer.from(this.#buffer.buffer, 0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const capacity = Math.max(needed, this.#buffer.length * 2);
    this.#buffer = Buffer.from(this.#buffer.buffer.transfer(capacity));
  }
}

const KINDS = { Uint8Array, Int32Array, Uint32Array } as const;
type Kind = keyof typeof KINDS;
export type Section = Uint8Array | Int32Array | Uint32Array;

/** Sections start at multiples of this many bytes. */
const ALIGNMENT = 8;

/**
 * Packs typed arrays into one: the header's length (4 bytes, little-endian), the header (JSON), then the
 * arrays. Numbers keep the byte order of the machine: stores are not moved between byte orders.
 */
export function packSections(sections: Readonly<Record<string, Section>>): Uint8Array {
  let offset = 0;
  const layout = Object.entries(sections).map(([name, section]) => {
    const kind = Object.keys(KINDS).find((key) => section instanceof KINDS[key as Kind]) as Kind;
    const entry: LayoutEntry = [name, kind, offset, section.length];
    offset = align(offset + section.byteLength);
    return entry;
  });
  const header = Buffer.from(JSON.stringify(layout));
  const dataStart = align(4 + header.length);
  const packed = new Uint8Array(dataStart + offset);
  new DataView(packed.buffer).setUint32(0, header.length, true);
  packed.set(header, 4);
  for (const [name, , start] of layout) {
    const { buffer, byteOffset, byteLength } = sections[name] as Section;
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), dataStart + start);
  }
  return packed;
}

type LayoutEntry = [name: string, kind: Kind, offset: number, length: number];

/** Unpacks the arrays of `packSections`, as views into the same memory. */
export function unpackSections(packed: Uint8Array): Map<string, Section> {
  const { buffer, byteOffset } = packed;
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const layout = JSON.parse(
    Buffer.from(buffer, byteOffset + 4, length).toString(),
  ) as LayoutEntry[];
  const dataStart = byteOffset + align(4 + length);
  return new Map(
    layout.map(([name, kind, offset, count]) => [
      name,
      new KINDS[kind](buffer as ArrayBuffer, dataStart + offset, count),
    ]),
  );
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
