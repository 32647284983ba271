// Faults that are tried by tests of other folders. This list keeps the suite whole for its readers.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const ELSEWHERE: readonly (readonly [fault: string, file: string, title: string])[] = [
  [
    'an import is killed while it reads',
    'journey/kill',
    'killed while it reads, an import changes nothing',
  ],
  [
    'an import is killed in its merge',
    'journey/kill',
    'killed while it merges, an import leaves all or nothing',
  ],
  [
    'an import is killed before it publishes',
    'journey/kill',
    'killed after its report, an import is published by the server',
  ],
  [
    'an import is killed while no server runs',
    'journey/kill',
    'killed while no server runs, an import is published by the next server',
  ],
  [
    'a server is killed in a fan-out',
    'journey/websub-kill',
    'a server killed during a fan-out delivers to all subscribers, and to none too often',
  ],
  [
    'a publish is killed before any of its writes',
    'publishing/publish',
    'before any of its writes is repeated by the next one, and leaves no part behind',
  ],
  [
    'the parent of a publish process is killed',
    'publishing/process',
    'ends when its parent is killed',
  ],
  [
    'another process takes over the claim in a publish',
    'publishing/publish',
    'stops with ClaimLost before any write, and the other publishes a complete snapshot',
  ],
  [
    'several processes migrate at once',
    'store/database',
    'by several processes at once migrates once without errors',
  ],
  [
    'the first publish fails',
    'journey/broken-publish',
    'all workers report that the first publish failed, answer 503, and then serve',
  ],
  ['PostgreSQL is stopped', 'journey/postgres-outage', 'PostgreSQL is stopped and restarted'],
  [
    'connections to PostgreSQL hang',
    'journey/postgres-outage',
    'a server whose connections hang keeps answering, and becomes current again afterwards',
  ],
  [
    'a text hangs the analysis',
    'publishing/analyses',
    'a text that hangs the analyser is given up after the limit, and not tried again',
  ],
  [
    'the disk is full while a backup is written',
    'commands/backup',
    'leaves nothing if the disk is full, and the earlier backup stays',
  ],
  [
    'the process that started the workers is stopped',
    'journey/workers-start',
    'readers are answered while the process that started the workers is stopped',
  ],
  [
    'a publish process is stopped',
    'publishing/process',
    'a publish process that is stopped is killed, and the next one publishes',
  ],
  [
    'a step of the publish hangs',
    'publishing/process',
    'is killed when it hangs, and the next publishes',
  ],
  [
    'the process of a source is stopped',
    'commands/sync',
    'a look whose process is stopped ends with a fault',
  ],
  [
    'the process of a source is killed',
    'commands/sync',
    'a look that is killed while it downloads leaves no copies behind',
  ],
  [
    'two sources drip their answers',
    'serving/sources',
    'two sources that drip their answers hold both slots once, and then one',
  ],
  [
    'a removal is killed while no server runs',
    'faults/killed-removals',
    'a server finishes what a forget left that was killed before its start',
  ],
  [
    'a restore is killed',
    'faults/killed-removals',
    'a restore that is killed leaves nothing after the next command',
  ],
  ['a backup is cut', 'commands/backup', 'of a truncated file is refused'],
  [
    'a backup is killed',
    'commands/backup',
    'removes what killed ones left, and not what is at work',
  ],
];

test.each(ELSEWHERE)('%s: test/%s.test.ts has "%s"', async (_, file, title) => {
  const source = await readFile(new URL(`../${file}.test.ts`, import.meta.url), 'utf8');
  const declarations = [`test('${title}'`, `test.concurrent('${title}'`];
  expect(declarations.filter((declaration) => source.includes(declaration))).toHaveLength(1);
});
