// Accepts subscription requests: validates and stores them. The dispatcher verifies them later, so the
// response does not depend on the callback (WebSub, section 5.1.2).

import type { IncomingHttpHeaders } from 'node:http';
import type { HubConfig } from '../config.ts';
import { Refusal, type RefusalCode, UnavailableError } from '../errors.ts';
import { FORM_TYPE } from '../model/hub-form.ts';
import type { Database } from '../store/database.ts';
import { type FullLimit, saveIntent } from '../store/hub/intents.ts';
import type { AddressPolicy } from './addresses.ts';
import { HUB_LIMITS } from './limits.ts';
import { parseHubRequest } from './request.ts';

const REFUSALS_OF = {
  host_full: 'too_many_subscriptions',
  queue_full: 'hub_busy',
  hub_full: 'hub_full',
} as const satisfies Record<FullLimit, RefusalCode>;

export class HubEndpoint {
  readonly #hub: HubConfig;
  readonly #addresses: AddressPolicy;
  readonly #database: Database;

  constructor(hub: HubConfig, addresses: AddressPolicy, database: Database) {
    this.#hub = hub;
    this.#addresses = addresses;
    this.#database = database;
  }

  /**
   * Validates and stores a request. `origin` is the hub's own, under which the topics are published.
   *
   * @throws {Refusal} with all issues of the request, or for the limit that it exceeds.
   */
  async accept(headers: IncomingHttpHeaders, body: unknown, origin: string): Promise<void> {
    if (isCrossSite(headers, origin)) throw new Refusal('cross_site_form');
    if (!isForm(headers) || !Buffer.isBuffer(body)) throw new Refusal('unsupported_form');
    const context = { hub: this.#hub, addresses: this.#addresses, origin };
    const parsed = parseHubRequest(body, context);
    if (!parsed.ok) throw new Refusal('invalid_request', parsed.issues);
    const limits = {
      maxPerHost: this.#hub.maxSubscriptionsPerHost,
      maxPending: HUB_LIMITS.waiting,
      maxSubscriptions: this.#hub.maxSubscriptions,
    };
    const outcome = await saveIntent(this.#database, parsed.value, limits, Date.now()).catch(
      (error: unknown) => {
        // Not logged: the snapshot refresher logs that the store is unavailable.
        throw error instanceof UnavailableError ? new Refusal('hub_without_store') : error;
      },
    );
    if (outcome !== 'saved') throw new Refusal(REFUSALS_OF[outcome]);
  }
}

/**
 * Whether a browser sent the request for a page of another site, which could subscribe on behalf of its
 * visitors. Servers send neither header.
 */
function isCrossSite(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin !== ownOrigin;
}

/** Form-encoded, in UTF-8 (section 5.1), and not compressed. */
function isForm(headers: IncomingHttpHeaders): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  return (
    type.trim() === FORM_TYPE &&
    (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity' &&
    parameters.every((each) => {
      const [name = '', value = ''] = each.split('=');
      return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
    })
  );
}
