// Finds the end of an HTTP/1.1 answer.

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('\r\n0\r\n\r\n');
/** Answers without a body, whatever their length header says (RFC 9110, section 6.4.1). */
const WITHOUT_BODY = new Set([204, 304]);

/** Reads consecutive answers, by length or last chunk. */
export class AnswerReader {
  status = 0;
  #missing = 0;
  #isChunked = false;
  #isInBody = false;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);

  /** Whether this data completes the answer. */
  take(chunk: Buffer): boolean {
    let body = chunk;
    if (!this.#isInBody) {
      const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const at = bytes.indexOf(END_OF_HEAD);
      this.#head = at < 0 ? bytes : Buffer.alloc(0);
      if (at < 0) return false;
      const head = bytes.toString('latin1', 0, at);
      this.status = Number(head.slice(9, 12));
      const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
      const isEmpty = WITHOUT_BODY.has(this.status);
      this.#isChunked = !isEmpty && length === undefined;
      this.#missing = isEmpty ? 0 : Number(length ?? 0);
      this.#isInBody = true;
      // The last chunk may be the first: then the line before it is the end of the head.
      this.#tail = Buffer.from('\r\n');
      body = bytes.subarray(at + END_OF_HEAD.length);
    }
    if (this.#isChunked) {
      this.#tail = Buffer.concat([this.#tail, body]).subarray(-END_OF_CHUNKS.length);
      this.#isInBody = !this.#tail.equals(END_OF_CHUNKS);
    } else {
      this.#missing -= body.length;
      this.#isInBody = this.#missing > 0;
    }
    return !this.#isInBody;
  }
}
