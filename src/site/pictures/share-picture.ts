// The picture that other sites show beside a link to the business, a review, a person or another subject: what it
// says, and its path. The server draws it when it is first requested (draw-share-picture.ts).

import type { MentionKind } from '../../search/mentions.ts';
import { fillPath, ROUTES } from '../../model/routes.ts';
import { hashOf } from '../../snapshot/documents.ts';
import { truncate } from '../parts/format.ts';
import { SUBJECT_PATHS } from '../parts/links.ts';
import { isScored } from '../insights/people.ts';
import { splitText } from '../reviews/review-text.ts';
import { readableTint } from '../parts/theme.ts';
import { shownMean } from '../../model/rating.ts';
import type { View } from '../view.ts';

/** Everything that decides how the picture looks. */
export interface ShareContent {
  /** The largest text: words of the review, or the name of the subject. Empty for a rating without a comment. */
  readonly text: string;
  /** Stars; null if there are none to show. */
  readonly rating: number | null;
  /** The line below the stars. */
  readonly note: string;
  /** The line at the foot; empty where it is the text. */
  readonly business: string;
  /** Hexadecimal. */
  readonly background: string;
  readonly foreground: string;
}

export interface ShareLink {
  /** With a hash of the content, because other sites cache pictures by address. */
  readonly path: string;
  readonly alt: string;
}

/** UTF-16 units of a review's text: four lines. */
const MAX_QUOTE_LENGTH = 150;
const HASH_LENGTH = 12;
/** The first segment of the paths of the pages. */
const REVIEWS = 'reviews';
const LISTS = new Map(
  Object.entries(SUBJECT_PATHS).map(([list, path]) => [path.slice(1), list as MentionKind]),
);

/** Kinds of pages that have pictures: `kind` in the path. */
export const SHARED_KINDS: readonly string[] = [REVIEWS, ...LISTS.keys()];

/** The picture of a review or subject; null if there is none with this id. */
export function shareContent(view: View, kind: string, id: string): ShareContent | null {
  const list = LISTS.get(kind);
  const found =
    kind === REVIEWS ? ofReview(view, id) : list === undefined ? null : ofSubject(view, list, id);
  if (found === null) return null;
  return { ...found, business: view.business.name, ...tintOf(view) };
}

/** The picture of the business: its name, stars and number of reviews. */
export function businessContent(view: View): ShareContent {
  const { business, rating, strings } = view;
  const mean = shownMean(rating);
  const note =
    mean === null ? strings.verifiedReviews : strings.picture.outOfFive(mean, rating.review_count);
  return { text: business.name, rating: mean, note, business: '', ...tintOf(view) };
}

function tintOf({ color }: View): Pick<ShareContent, 'background' | 'foreground'> {
  const { accent, inverse } = readableTint(color, 'light');
  return { background: accent, foreground: inverse };
}

/** The link to the picture of a review or subject; null in an export, which has no server to draw it. */
export function shareLink(view: View, kind: string, id: string): ShareLink | null {
  const content = view.isStatic ? null : shareContent(view, kind, id);
  if (content === null) return null;
  const { text, rating, note } = content;
  const path = fillPath(ROUTES.getSharePicture.path, { kind, name: `${id}.png` });
  const stars = rating === null ? [] : [view.strings.outOfFive(rating)];
  const alt = [text, ...stars, note].filter(Boolean).join(' · ');
  return { path: path + versionOf(content), alt };
}

/** The path of the picture of the business. */
export function businessPicture(view: View): string {
  return ROUTES.getPicture.path + versionOf(businessContent(view));
}

function versionOf(content: ShareContent): string {
  return `?v=${hashOf(Buffer.from(JSON.stringify(content))).slice(0, HASH_LENGTH)}`;
}

/** As `shareLink`, of the page of a subject. */
export function subjectShareLink(view: View, list: MentionKind, id: string): ShareLink | null {
  return shareLink(view, SUBJECT_PATHS[list].slice(1), id);
}

type Found = Pick<ShareContent, 'text' | 'rating' | 'note'> | null;

function ofReview(view: View, id: string): Found {
  const position = view.snapshot.positionOf(id);
  if (position === null) return null;
  const shown = view.reviewAt(position);
  const { author, date, rating } = shown.review;
  const { title, rest } = splitText(shown);
  const words = (title ?? rest ?? '').replaceAll(/\s+/g, ' ').trim();
  const text =
    words === '' ? '' : view.strings.filters.quoted(truncate(words, MAX_QUOTE_LENGTH) ?? words);
  return { text, rating, note: view.strings.review.title(author, date) };
}

function ofSubject(view: View, list: MentionKind, id: string): Found {
  const insight = view.subject(list, id);
  if (insight === null) return null;
  const { strings } = view;
  const { mention_count: count } = insight;
  const mean = 'average_rating' in insight && isScored(insight) ? insight.average_rating : null;
  return {
    text: view.nameOf(list, insight),
    rating: mean,
    note: mean === null ? strings.verified(count) : strings.picture.outOfFive(mean, count),
  };
}
