// How CPU time grows with the size of the work, as a ratio between two sizes, which does not depend on the speed
// and the load of the machine.

const TIMES_LARGER = 8;
const ROUNDS = 5;
/** Between linear (8) and quadratic (64). */
export const LINEAR = 24;

/**
 * The CPU time for eight times the size, divided by that for the size: the minima of several rounds. Stops as
 * soon as the ratio is below `LINEAR`, which quadratic work never reaches.
 */
export function growth<T>(
  size: number,
  prepare: (size: number) => T,
  work: (of: T) => unknown,
): number {
  const [small, large] = [prepare(size), prepare(size * TIMES_LARGER)];
  let [leastSmall, leastLarge] = [Infinity, Infinity];
  work(small);
  for (let round = 0; round < ROUNDS; round++) {
    leastSmall = Math.min(
      leastSmall,
      cpuMicroseconds(() => work(small)),
    );
    leastLarge = Math.min(
      leastLarge,
      cpuMicroseconds(() => work(large)),
    );
    if (leastLarge / leastSmall < LINEAR) break;
  }
  return leastLarge / leastSmall;
}

function cpuMicroseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1);
}

/** Like `growth`, for asynchronous work. */
export async function asyncGrowth<T>(
  size: number,
  prepare: (size: number) => T,
  work: (of: T) => Promise<unknown>,
): Promise<number> {
  const [small, large] = [prepare(size), prepare(size * TIMES_LARGER)];
  let [leastSmall, leastLarge] = [Infinity, Infinity];
  await work(small);
  for (let round = 0; round < ROUNDS; round++) {
    leastSmall = Math.min(leastSmall, await asyncCpuMicroseconds(() => work(small)));
    leastLarge = Math.min(leastLarge, await asyncCpuMicroseconds(() => work(large)));
    if (leastLarge / leastSmall < LINEAR) break;
  }
  return leastLarge / leastSmall;
}

async function asyncCpuMicroseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1);
}
