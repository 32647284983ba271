// A callback client that may call loopback addresses, and the servers that a test lets it call.

import { AddressPolicy } from '../../src/hub/addresses.ts';
import { CallbackClient, type Delivery } from '../../src/hub/callback.ts';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import type { Reply } from '../../src/hub/reply.ts';
import { PATIENCE_MS } from './patience.ts';
import { RawServer } from './raw-server.ts';
import { Subscriber } from './subscriber.ts';
import { Certificate } from './tls.ts';

export class CallbackCalls {
  readonly client: CallbackClient;
  readonly #certificate: Certificate;
  readonly #servers: { close(): Promise<void> }[] = [];

  private constructor(certificate: Certificate) {
    this.#certificate = certificate;
    this.client = new CallbackClient({
      addresses: new AddressPolicy(['127.0.0.0/8']),
      resolve: () => Promise.reject(new Error('no name was to be resolved')),
      userAgent: 'public-reviews/1 (tests)',
      connections: 8,
    });
  }

  static async open(): Promise<CallbackCalls> {
    const certificate = await Certificate.create();
    certificate.trust();
    return new CallbackCalls(certificate);
  }

  async subscriber(): Promise<Subscriber> {
    const subscriber = await Subscriber.open(this.#certificate);
    this.#servers.push(subscriber);
    return subscriber;
  }

  async serve(answer: RawServer['answer']): Promise<RawServer> {
    const server = await RawServer.open(this.#certificate, answer);
    this.#servers.push(server);
    return server;
  }

  /** Delivers a small feed, or what `values` say. */
  deliver(url: string, values: Partial<Delivery> = {}): Promise<Reply> {
    const delivery = {
      callback: callbackOf(url),
      body: Buffer.from('<feed/>'),
      contentType: 'application/atom+xml; charset=utf-8',
      links: '<https://r.example/feed.xml>; rel="self", <https://r.example/hub>; rel="hub"',
      secret: null,
      timeoutMs: PATIENCE_MS,
      ...values,
    };
    return this.client.deliver(delivery, () => null);
  }

  async closeServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }

  async close(): Promise<void> {
    await this.closeServers();
    await this.client.close();
    await this.#certificate.close();
  }
}
