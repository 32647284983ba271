// Bytes in the making: a buffer that grows, and typed arrays packed into one for the store.

/** UTF-8 text written one piece after another into one buffer that grows. */
export class ByteWriter {
  #buffer: Buffer<ArrayBuffer>;
  #length = 0;

  /** With a capacity that suffices nothing is copied while it grows; what is not written to costs no
   * memory. */
  constructor(capacity = 64 * 1024) {
    this.#buffer = Buffer.from(new ArrayBuffer(capacity));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  write(text: string): void {
    // One UTF-16 unit takes three bytes at most.
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  writeByte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  /** What was written, without a copy: the memory behind it may be larger. */
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
type Section = Uint8Array | Int32Array | Uint32Array;

/** Sections start at multiples of this, as the widest of them needs. */
const ALIGNMENT = 8;

/**
 * Packs typed arrays into one: a header of four bytes (its length) and JSON, then the arrays.
 * Numbers keep the byte order of the machine: a store does not move between byte orders.
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
  const start = align(4 + header.length);
  const packed = new Uint8Array(start + offset);
  new DataView(packed.buffer).setUint32(0, header.length, true);
  packed.set(header, 4);
  for (const [name, , at] of layout) {
    const { buffer, byteOffset, byteLength } = sections[name] as Section;
    packed.set(new Uint8Array(buffer, byteOffset, byteLength), start + at);
  }
  return packed;
}

type LayoutEntry = [name: string, kind: Kind, offset: number, length: number];

/** The arrays of `packSections` again, as views into the same memory. */
export function unpackSections(packed: Uint8Array): Map<string, Section> {
  const { buffer, byteOffset } = packed;
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const layout = JSON.parse(
    Buffer.from(buffer, byteOffset + 4, length).toString(),
  ) as LayoutEntry[];
  const start = byteOffset + align(4 + length);
  return new Map(
    layout.map(([name, kind, offset, count]) => [
      name,
      new KINDS[kind](buffer as ArrayBuffer, start + offset, count),
    ]),
  );
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
