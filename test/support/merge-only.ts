// Run by node with the URL of a database, a file and its format: reads and merges without publishing. Writes a line to
// stderr when it merges, and at the end prints what it took as JSON.

import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from '../../src/intake/import.ts';
import { Database } from '../../src/store/database.ts';

const [url, file, format = 'ndjson'] = process.argv.slice(2) as [string, string, string?];
const database = await Database.open(url);
const start = performance.now();
let mergeStart = start;
const prepared = await prepareImport({ ...PLAIN_IMPORT, format });
await importFiles(database, [file], prepared, {
  ...SILENT,
  onMerging: () => {
    mergeStart = performance.now();
    process.stderr.write('merging\n');
  },
});
const end = performance.now();
await database.close();
const { user, system } = process.cpuUsage();
const took = {
  /** Kibibytes. */
  maxRss: process.resourceUsage().maxRSS,
  /** Of the whole process, its start included. */
  cpuMs: Math.round((user + system) / 1000),
  readMs: Math.round(mergeStart - start),
  mergeMs: Math.round(end - mergeStart),
};
process.stdout.write(`${JSON.stringify(took)}\n`);
