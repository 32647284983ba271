// The one binary search.

/** The first of `length` places, or `length`, for which the condition, false then true, is true. */
export function lowerBound(length: number, isTrue: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
