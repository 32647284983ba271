// Chooses the encoding of an answer (RFC 9110, section 12.5.3).

import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ENCODINGS, type Encoding } from '../snapshot/documents.ts';

export type ContentEncoding = Encoding | 'identity';

const AVAILABLE: readonly ContentEncoding[] = [...ENCODINGS, 'identity'];
/** Most clients send one of few values; hostile clients send any number. */
const MAX_REMEMBERED = 200;
/** Characters of the header that are read, as no client has a turn yet. Browsers send 30. */
const MAX_LENGTH = 256;

/** Chooses by the client's weights, and among equal weights the smallest form. */
export class EncodingChooser {
  readonly #chosen = new LRUCache<string, ContentEncoding>({ max: MAX_REMEMBERED });

  choose(header: string | undefined): ContentEncoding {
    if (header === undefined) return 'identity';
    const acceptEncoding =
      header.length > MAX_LENGTH
        ? header.slice(0, Math.max(0, header.lastIndexOf(',', MAX_LENGTH)))
        : header;
    const known = this.#chosen.get(acceptEncoding);
    if (known !== undefined) return known;
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    const [chosen = 'identity'] = negotiator.encodings([...AVAILABLE], {
      preferred: [...ENCODINGS],
    });
    this.#chosen.set(acceptEncoding, chosen as ContentEncoding);
    return chosen as ContentEncoding;
  }
}
