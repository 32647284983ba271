// How the cost of a piece of work grows with its size: a ratio between two sizes, so that it says the same
// on a quick machine and on a busy one.

const TIMES_LARGER = 8;
const ROUNDS = 5;
/** Between linear (8) and quadratic (64). */
export const LINEAR = 24;

/**
 * Divides the CPU time of the work for eight times the size by that for the size. Takes the least of
 * several rounds, and stops as soon as the ratio is below `LINEAR`: quadratic work never gets there.
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

/** As `growth`, for work that is asynchronous. */
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
