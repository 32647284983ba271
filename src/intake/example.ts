// The example business, which is served until something real is imported.

import { fileURLToPath } from 'node:url';
import type { Database } from '../store/database.ts';
import { hasContent } from '../store/reviews/reviews.ts';
import { loadState } from '../store/state.ts';
import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from './import.ts';

const REVIEWS = fileURLToPath(new URL('../../examples/reviews.ndjson', import.meta.url));
const BUSINESS = fileURLToPath(new URL('../../examples/business.json', import.meta.url));

/** Imports the example business unless the store has real content. Running it again changes nothing. */
export async function importExample(database: Database): Promise<void> {
  const { example } = await loadState(database.read);
  if (!example && (await hasContent(database.read))) return;
  const prepared = await prepareImport({
    // It takes any date: a clock that is wrong must not stop the server.
    ...PLAIN_IMPORT,
    format: 'ndjson',
    business: BUSINESS,
    // Removes reviews that an update of the program took out of the example.
    prune: true,
    example: true,
  });
  const { refused } = await importFiles(database, [REVIEWS], prepared, SILENT);
  if (refused > 0) throw new Error(`${refused} rows of the example were refused`);
}
