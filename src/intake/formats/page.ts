// What an answer of an API says of the pages that are not in the file.

import { isObject, memberAt, parsedJson } from '../readers/values.ts';

/** The key that says it, the number of all reviews, null if it names only the next page, and what to do. */
export type Page = readonly [key: string, total: number | null, next?: string | undefined];

const TOTAL =
  /^(?:total_?(?:review_?)?(?:count|results|reviews|items|elements)?|reviews?_?count|reviews|count|user_?ratings?_?(?:total|count))$/i;
const NEXT = /^(?:next|next_?(?:page|url|link|href)(?:_?token)?|@odata\.nextLink)$/i;
/** What stands beside the number of all entries of a list that comes in pages, and what such an object is called. */
const OF_PAGES = /^(?:pages|per_?page|page_?(?:size|number)|current_?page|limit|offset)$/i;
const ABOUT_PAGES = /^(?:meta|paging|pagination|page|page_?info|result_?info|info)$/i;
const LINK_TO_MORE = /^(?:next|last .*\bpage=(?!1\b))/i;
const DEPTH = 6;

/** Null if the text of a JSON file is cut off, or says nothing of pages. `limit`: why there are none. */
export function pageOf(text: string, limit?: string): Page | null {
  const found = pagesIn(parsedJson(text), 1);
  const [most] = found.toSorted(([, one], [, other]) => (other ?? 0) - (one ?? 0));
  return most ? [most[0], most[1], limit] : null;
}

function pagesIn(node: unknown, depth: number, name = ''): Page[] {
  if (!isObject(node) || depth > DEPTH) return [];
  // A summary counts other things.
  const isOfList =
    ABOUT_PAGES.test(name) ||
    Object.entries(node).some(
      ([key, member]) => OF_PAGES.test(key) || (Array.isArray(member) && isObject(member[0])),
    );
  return Object.entries(node).flatMap(([key, member]): Page[] => {
    const links = [member].flat().map((one) => memberAt(one, 'attributes') ?? one);
    const isMany = (one: unknown) =>
      LINK_TO_MORE.test(['rel', 'href'].map((at) => memberAt(one, at)).join(' '));
    if (links.some(isMany)) return [[key, null]];
    if (depth < DEPTH - 1 && TOTAL.test(key) && typeof member === 'number')
      return isOfList ? [[key, member]] : [];
    const link = isObject(member) ? member['href'] : member;
    const isMore = /^(?:total_?)?pages$/i.test(key) && Number(member) > 1;
    if (/^has_?(?:next|more)/i.test(key) && member === true) return [[key, null]];
    const isNext = NEXT.test(key) && typeof link === 'string' && link !== '';
    return isMore || isNext ? [[key, null]] : pagesIn(member, depth + 1, key);
  });
}

/** What is missing in a file with so many reviews; null if nothing is. */
export function restOf([key, total, limit]: Page, count: number): string | null {
  const rest = limit ?? 'fetch the other pages and import them too';
  if (total === null) return `the file is one page of several ("${key}"); ${rest}`;
  return total > count ? `the file has ${count} of ${total} reviews ("${key}"); ${rest}` : null;
}
