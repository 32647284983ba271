// Whether shares differ by more than chance, also if many are compared.

export interface Share {
  readonly part: number;
  readonly total: number;
}

/** The chance that a comparison of equal shares finds at least one difference. */
const LEVEL = 0.05;

/**
 * The two-sided p-value of Fisher's exact test: the chance of shares that are at least as unequal, if both periods had
 * the same one.
 */
export function fisherExact(one: Share, other: Share): number {
  const total = one.total + other.total;
  const part = one.part + other.part;
  const logs = logFactorials(total);
  const at = (n: number) => logs[n] as number;
  const all = at(total) - at(part) - at(total - part);
  const logOf = (own: number) =>
    at(one.total) -
    at(own) -
    at(one.total - own) +
    at(other.total) -
    at(part - own) -
    at(other.total - part + own) -
    all;
  const observed = logOf(one.part);
  let sum = 0;
  const [first, last] = [Math.max(0, part - other.total), Math.min(part, one.total)];
  for (let own = first; own <= last; own++) {
    const log = logOf(own);
    // Rounding must not drop tables as likely as the observed one.
    if (log <= observed + 1e-7) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1);
  for (let n = 2; n <= most; n++) logs[n] = (logs[n - 1] as number) + Math.log(n);
  return logs;
}

/** The tests of a family that hold together (Holm's step-down method), most certain first. */
export function holdTogether<T extends { readonly p: number }>(tests: readonly T[]): T[] {
  const sorted = tests.toSorted((a, b) => a.p - b.p);
  const failing = sorted.findIndex(({ p }, at) => p > LEVEL / (sorted.length - at));
  return failing < 0 ? sorted : sorted.slice(0, failing);
}
