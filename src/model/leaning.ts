// Which way opinions lean, by 95% confidence intervals of shares: one rule for prose and pages.

/** The 97.5% quantile of the standard normal distribution. */
export const Z = 1.96;

/** Wilson's interval of a share, which also holds for few cases; 0 to 1 without any. */
export function shareInterval(part: number, total: number) {
  if (total === 0) return { low: 0, high: 1 };
  const share = part / total;
  const square = (Z * Z) / total;
  const centre = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** The least share of opinions that agree for a clear consensus, and for a majority. */
const CLEAR = 0.75;
export const MAJORITY = 0.6;
/** Fewer opinions lean nowhere; more do if this share of them agrees. */
const FEWEST_LEANING = 4;
const LEANING = 2 / 3;

/** From clearly positive (0) over mixed (2) to clearly negative (4). */
export type Consensus = 0 | 1 | 2 | 3 | 4;

/** The consensus of opinions, by Wilson's interval of the share of positive ones. */
export function consensusOf(positive: number, negative: number): Consensus {
  const { low, high } = shareInterval(positive, positive + negative);
  const share = positive / Math.max(1, positive + negative);
  if (low >= CLEAR) return 0;
  if (low >= 0.5 && share >= MAJORITY) return 1;
  if (high <= 1 - CLEAR) return 4;
  return high <= 0.5 && share <= 1 - MAJORITY ? 3 : 2;
}

/** Which way opinions lean: their consensus, or where few leave it open what two in three of them say. */
export function leaningOf(positive: number, negative: number): Consensus {
  const consensus = consensusOf(positive, negative);
  const share = positive / Math.max(1, positive + negative);
  if (positive + negative < FEWEST_LEANING) return consensus;
  if (share === 1) return 0;
  if (share === 0) return 4;
  if (consensus !== 2) return consensus;
  return share >= LEANING ? 1 : share <= 1 - LEANING ? 3 : 2;
}

/** Fewer opinions of a time do not tell how it was then. */
const FEWEST_LATELY = 5;

/** The side to which opinions of a later time lean, unless all lean there too, or they are few or divided. */
export function newLeaning(
  [good, bad]: readonly [number, number],
  [goodLately, badLately]: readonly [number, number],
): 'positive' | 'negative' | null {
  const [ever, now] = [leaningOf(good, bad), leaningOf(goodLately, badLately)];
  const isSame = now === 2 || (ever !== 2 && now < 2 === ever < 2);
  if (goodLately + badLately < FEWEST_LATELY || isSame) return null;
  return now < 2 ? 'positive' : 'negative';
}
