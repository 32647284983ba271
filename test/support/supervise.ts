// Run by node with the variables of a server: two workers, of which a hung one is found in three seconds
// instead of half a minute.

import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { parseConfig } from '../../src/config.ts';
import { Supervisor } from '../../src/serving/workers/supervisor.ts';

const LOOK_EVERY_MS = 500;

cluster.setupPrimary({
  exec: fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
  args: ['serve', '--workers', '2'],
});
const config = parseConfig();
const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
const supervisor = await Supervisor.start(config, logger, 2, LOOK_EVERY_MS);
process.stdout.write(`${supervisor.url}\n`);
