// Run by node with a URL: sends a GET to this callback as the hub does, and prints the reply as JSON.

import { AddressPolicy } from '../../src/hub/addresses.ts';
import { CallbackClient } from '../../src/hub/callback.ts';
import { callbackOf } from '../../src/hub/parse-callback.ts';

const [url] = process.argv.slice(2) as [string];
const client = new CallbackClient({
  addresses: new AddressPolicy(['127.0.0.0/8']),
  resolve: () => Promise.reject(new Error('no name was to be resolved')),
  userAgent: 'tests',
  connections: 1,
});
const reply = await client.ask(callbackOf(url), [], 100, 5_000, () => null);
await client.close();
process.stdout.write(`${JSON.stringify(reply)}\n`);
