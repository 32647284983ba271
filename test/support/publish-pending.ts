// Run by node with the URL of a database: publishes what is pending, as a command does.

import { Database } from '../../src/store/database.ts';
import { publishPending } from '../../src/publishing/run/2-claim.ts';

const [url] = process.argv.slice(2) as [string];
const database = await Database.open(url);
await publishPending(database, url, {
  publisherId: 'killed',
  defaultOrigin: 'https://reviews.example',
});
await database.close();
