// What an answer of an API says of the pages that are not in the file.

import { isObject } from '../readers/values.ts';

export interface Page {
  /** The key and the number of all reviews. */
  readonly total: readonly [key: string, count: number] | null;
  /** The key of the next page. */
  readonly next: string | null;
}

const TOTAL =
  /^(?:total_?(?:review_?)?(?:count|results|reviews|items|elements)?|review_?s?_?count|reviews|count)$/i;
const NEXT = /^(?:next|next_?(?:page|url|link|href)(?:_?token)?|@odata\.nextLink)$/i;
const NUMBER_OF_PAGES = /^(?:total_?)?pages$/i;
/** Levels of objects around the list of reviews that are looked at. */
const DEPTH = 4;

/** @param text a JSON file; null if it is cut off, or says nothing of pages */
export function pageOf(text: string): Page | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  let total: Page['total'] = null;
  let next: string | null = null;
  const look = (node: unknown, depth: number): void => {
    if (!isObject(node) || depth > DEPTH) return;
    for (const [key, member] of Object.entries(node)) {
      if (TOTAL.test(key) && typeof member === 'number' && member > (total?.[1] ?? 0))
        total = [key, member];
      const link = isObject(member) ? member['href'] : member;
      const isMore = NUMBER_OF_PAGES.test(key) && typeof member === 'number' && member > 1;
      if (isMore || (NEXT.test(key) && typeof link === 'string' && link !== '')) next ??= key;
      look(member, depth + 1);
    }
  };
  look(value, 1);
  return total === null && next === null ? null : { total, next };
}

/** What is missing in a file with so many reviews; null if nothing is. */
export function restOf({ total, next }: Page, count: number): string | null {
  const rest = 'fetch the other pages and import them too';
  if (total !== null && total[1] > count) {
    return `the file has ${count} of ${total[1]} reviews ("${total[0]}"); ${rest}`;
  }
  return next === null ? null : `the file is one page of several ("${next}"); ${rest}`;
}
