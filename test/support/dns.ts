// A DNS server on a loopback port, with answers that the test sets.

import { createSocket, type Socket } from 'node:dgram';

/** Addresses of a name; a number is a response code (3 is NXDOMAIN); null means no response. */
export type Records = readonly string[] | number | null;

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

export class DnsServer {
  readonly #socket: Socket;
  /** The questions it received, such as "A reader.example". */
  readonly asked: string[] = [];
  /** The answers by question; others have no records. */
  readonly answers = new Map<string, Records>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (query, { port, address }) => {
      const answer = this.#answer(query);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async open(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** RFC 1035, section 4: the header, the question, and a record for each address. */
  #answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let offset = 12;
    for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
      labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
      offset += length + 1;
    }
    const type = TYPES[query.readUInt16BE(offset + 1)] ?? 'other';
    const question = `${type} ${labels.join('.').toLowerCase()}`;
    this.asked.push(question);
    const known = this.answers.get(question);
    if (known === null) return null;
    const addresses = typeof known === 'number' ? [] : (known ?? []);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (typeof known === 'number' ? known : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) => {
      const bytes = bytesOf(address);
      const record = Buffer.alloc(12);
      // A pointer to the name in the question.
      record.writeUInt16BE(0xc00c, 0);
      query.copy(record, 2, offset + 1, offset + 5);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    return Buffer.concat([header, query.subarray(12, offset + 5), ...records]);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

/** The bytes of an address. IPv6 addresses need all eight groups. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
