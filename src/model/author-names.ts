// How the names of authors are shown: in full, or as first name and initial. Applied once, when reviews are
// loaded for a publish, so that nothing that is published has the rest of the name.

import { fold } from './fold.ts';
import type { Review } from './review.ts';

export const AUTHOR_DISPLAYS = ['full', 'initials'] as const;
export type AuthorDisplay = (typeof AUTHOR_DISPLAYS)[number];

export function isAuthorDisplay(text: string): text is AuthorDisplay {
  return (AUTHOR_DISPLAYS as readonly string[]).includes(text);
}

/** What sites, and imports of tables, write for authors without a name. */
const NO_NAME =
  /^(?:an? )?(?:anonymous|verified|google(?: play)?|facebook|yelp|trustpilot|tripadvisor|amazon|ebay|steam|feefo)(?: (?:user|customer|buyer|reviewer|guest|member))?$|^an? (?:user|customer|guest|patient)(?: of \S+)?$/i;
/** Who write together, such as "Mr & Mrs Wilson". */
const TOGETHER = /^(.+?) (&|\+|and|und|et|en|y|e) (.+)$/;
const FAMILY = /^(?:famil(?:y|ie|ia)|fam(?:ille|iglia|ília)|fam\.)$/i;
/** Names in these scripts are written without a space, surname first. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
/** Begins a surname of Ireland or Scotland. */
const PARTICLE = /^(?:ma?c|nic|n[ií]|ó|u[ií])$/i;
/** Shorter parts of a name may occur in a URL by chance. */
const SHORTEST_PART = 3;

/** A review whose author is shown as a setting says. The picture and a link with the name are left out too. */
export function withAuthorShown(review: Review, display: AuthorDisplay): Review {
  if (display === 'full') return review;
  const author = toInitials(review.author);
  if (author === review.author) return { ...review, authorAvatarUrl: null };
  const { sourceUrl } = review;
  const isNamed = sourceUrl !== null && hasPart(sourceUrl, review.author, author);
  return { ...review, author, authorAvatarUrl: null, sourceUrl: isNamed ? null : sourceUrl };
}

/** "Tom Weaver" as "Tom W."; a single name stays. */
export function toInitials(author: string): string {
  const name = author.replaceAll(/\s+/g, ' ').trim();
  if (NO_NAME.test(name)) return name;
  if (name.includes('@')) return initialOf(name);
  const [, one = '', sign = '', other = ''] = TOGETHER.exec(name) ?? [];
  if (FAMILY.test(other)) return `${toInitials(one)} ${sign} ${other}`;
  // The one who is named by one word has no surname there.
  if (sign !== '' && !one.includes(' '))
    return `${one} ${sign} ${other.includes(' ') ? toInitials(other) : initialOf(other)}`;
  const [first = '', ...others] = wordsOf(name);
  // "Siobhán Ní Bhriain" is filed under N.
  const last = PARTICLE.test(others.at(-2) ?? '') ? others.at(-2) : others.at(-1);
  if (FAMILY.test(last ?? '')) return `${initialOf(others.at(-2) ?? first)} ${last}`;
  if (last !== undefined) return `${first} ${initialOf(last)}`;
  return UNSPACED.test(first) && first.length > 1 ? initialOf(first) : first;
}

/** The words of a name in the order of "Tom Weaver"; titles after a comma are left out. */
function wordsOf(name: string): string[] {
  const [before = '', after = ''] = name.split(',');
  const words = before.split(' ').filter((word) => word !== '');
  const isSurname = words.length === 1 && after.trim() !== '';
  return isSurname ? [...after.trim().split(' ').slice(0, 1), ...words] : words;
}

function initialOf(word: string): string {
  const letters = word.replace(/^[^\p{L}\p{N}]+/u, '');
  const [{ segment } = { segment: '' }] = new Intl.Segmenter().segment(letters);
  return `${segment}.`;
}

function hasPart(url: string, name: string, shown: string): boolean {
  let text = url;
  try {
    text = decodeURIComponent(url);
  } catch {
    // Not percent-encoded UTF-8: compared as it is.
  }
  const folded = fold(text);
  const visible = new Set(fold(shown).split(/[^\p{L}\p{N}]+/u));
  return fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part.length >= SHORTEST_PART && !visible.has(part) && folded.includes(part));
}
