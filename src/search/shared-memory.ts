// Memory that grows at its end. Threads share it, and WebAssembly can read it. The system maps it apart from
// the heap of malloc, which keeps parts of large arrays after they are freed, and takes it back as a whole.

const PAGE = 64 * 1024;
/** The address space of 32 bits, in pages. */
const MAX_PAGES = PAGE;
/** Suits all typed arrays that are stored. */
const ALIGNMENT = 8;

/** Addresses of the first byte and after the last. */
export type Range = readonly [start: number, end: number];

export class SharedMemory {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Makes space for more bytes. */
  reserve(bytes: number): void {
    const missing = this.#length + bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    new Uint8Array(this.memory.buffer, this.#length, bytes.length).set(bytes);
    this.#length += bytes.length;
  }

  /** Leaves space for bytes, which are zero. */
  skip(bytes: number): void {
    this.reserve(bytes);
    this.#length += bytes;
  }

  /** Continues at an address that suits all typed arrays, and returns it. */
  align(): number {
    this.#length = Math.ceil(this.#length / ALIGNMENT) * ALIGNMENT;
    return this.#length;
  }

  /** Where the bytes that `append` writes are, aligned for all typed arrays. */
  async place(append: () => void | Promise<void>): Promise<Range> {
    const start = this.align();
    await append();
    return [start, this.#length];
  }

  /** Not a copy. */
  view([start, end]: Range): Uint8Array {
    return new Uint8Array(this.memory.buffer, start, end - start);
  }
}
