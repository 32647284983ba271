// A DNS server on a port of the loopback, whose every answer a test can choose.

import { createSocket, type Socket } from 'node:dgram';

/** Addresses of a name; a number is a code of DNS's refusals (3 is "no such name"), null is silence. */
export type Records = readonly string[] | number | null;

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

export class DnsServer {
  readonly #socket: Socket;
  /** Every question that came, such as "A reader.example". */
  readonly asked: string[] = [];
  /** What it answers to each question; nothing is known of others. */
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

  /** RFC 1035, section 4: the header, the question again, and a record for each address. */
  #answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let place = 12;
    for (let length = query.readUInt8(place); length > 0; length = query.readUInt8(place)) {
      labels.push(query.toString('latin1', place + 1, place + 1 + length));
      place += length + 1;
    }
    const type = TYPES[query.readUInt16BE(place + 1)] ?? 'other';
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
      // The name is the one of the question.
      record.writeUInt16BE(0xc00c, 0);
      query.copy(record, 2, place + 1, place + 5);
      record.writeUInt16BE(bytes.length, 10);
      return Buffer.concat([record, bytes]);
    });
    return Buffer.concat([header, query.subarray(12, place + 5), ...records]);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

/** An IPv6 address is written with all its eight groups. */
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
