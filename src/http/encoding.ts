// Which stored form of a body a client gets (RFC 9110, section 12.5.3).

import Negotiator from 'negotiator';
import { ENCODINGS, type Encoding } from '../snapshot/documents.ts';

export type ContentEncoding = Encoding | 'identity';

const AVAILABLE: readonly ContentEncoding[] = [...ENCODINGS, 'identity'];
/** Clients send few different headers; hostile ones any number. */
const MEMORY = 200;

/** Chooses by the client's weights, and among equals the smallest form. */
export class EncodingChooser {
  readonly #chosen = new Map<string, ContentEncoding>();

  choose(acceptEncoding: string | undefined): ContentEncoding {
    if (acceptEncoding === undefined) return 'identity';
    const known = this.#chosen.get(acceptEncoding);
    if (known !== undefined) return known;
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    const [chosen = 'identity'] = negotiator.encodings([...AVAILABLE], {
      preferred: [...ENCODINGS],
    });
    if (this.#chosen.size === MEMORY) this.#chosen.clear();
    this.#chosen.set(acceptEncoding, chosen as ContentEncoding);
    return chosen as ContentEncoding;
  }
}
