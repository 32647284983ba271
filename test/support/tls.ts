// A certificate for all addresses of test subscribers, generated for each run.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { generate } from 'selfsigned';

/** Addresses from 127.0.0.1 on, as different hosts. */
export const TEST_ADDRESSES = Array.from({ length: 64 }, (_, index) => `127.0.0.${index + 1}`);

export class Certificate {
  readonly key: string;
  readonly cert: string;
  readonly #folder: string;

  private constructor(key: string, cert: string, folder: string) {
    this.key = key;
    this.cert = cert;
    this.#folder = folder;
  }

  static async create(names: readonly string[] = ['localhost']): Promise<Certificate> {
    // Unique, because OpenSSL may try the wrong one of two authorities with the same name.
    const subject = [{ name: 'commonName', value: `tests ${randomUUID()}` }];
    const { private: key, cert } = await generate(subject, {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...names.map((value) => ({ type: 2 as const, value })),
            ...[...TEST_ADDRESSES, '::1'].map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    });
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-tls-'));
    await writeFile(join(folder, 'authority.pem'), cert);
    return new Certificate(key, cert, folder);
  }

  /** For NODE_EXTRA_CA_CERTS. */
  get path(): string {
    return join(this.#folder, 'authority.pem');
  }

  /** Makes this process trust it. */
  trust(): void {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), this.cert]);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
