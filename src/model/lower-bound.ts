// Binary search.

/** The first index below `length` for which the monotonic condition is true, or `length` if none is. */
export function lowerBound(length: number, isTrue: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
