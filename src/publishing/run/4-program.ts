// Ring 4 of a publish (see 1-attempts.ts): the program of the publish process. Messages leave it at once, also before
// a computation that never ends.

import { serveParent } from '../../model/child-process.ts';
import { Database } from '../../store/database.ts';
import type { Message, PublishJob } from './messages.ts';
import { type Stage, StageClock } from './stages.ts';

const PARENT = process.ppid;

// Without the parent nobody renews the claim.
serveParent(run);

async function run({ databaseUrl, publishing }: PublishJob): Promise<Message> {
  const clock = new StageClock(report, () => performance.now());
  try {
    const database = await Database.open(databaseUrl, 'thread');
    try {
      const { publish } = await import('../publish.ts');
      const omitted = await publish(database, publishing, Date.now() / 1000, (stage) =>
        clock.begin(stage),
      );
      return { kind: 'published', published: { omitted, stageSeconds: clock.stageSeconds() } };
    } finally {
      await database.close();
    }
  } catch (error) {
    const { name, message, stack } = error as Error;
    return { kind: 'failed', failure: { name, message, stack } };
  }
}

/** Work that waits for nothing keeps `disconnect` from arriving, but another parent says the same. */
function report(stage: Stage): void {
  if (process.ppid !== PARENT) process.exit(1);
  const message: Message = { kind: 'stage', stage };
  // What the parent does not take needs no handling: this process is about to end.
  process.send?.(message, undefined, {}, () => undefined);
}
