// Reviews of a Google Business Profile: of Google Takeout and of the Business Profile API, which have the
// same members.

import { show } from '../../errors.ts';
import type { JsonReader } from './reader.ts';
import { isObject, type ItemReading, unrated } from './values.ts';

const STARS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
const ANONYMOUS = 'A Google user';

export const googleBusiness: JsonReader = {
  kind: 'json',
  name: 'google-business',
  title: 'reviews of a Google Business Profile',
  lists: ['reviews', 'locationReviews', ''],
  /** An answer for several locations has each review in an object with the name of its location. */
  split: (item) => [isObject(item['review']) ? item['review'] : item],
  recognise(given) {
    const item = isObject(given['review']) ? given['review'] : given;
    const hasOwn = isObject(item['reviewer']) || 'reviewReply' in item || 'updateTime' in item;
    return 'starRating' in item && 'createTime' in item && hasOwn;
  },
  read(row) {
    row.updated = row.string('updateTime');
    const stars = STARS.indexOf(String(row.at('starRating'))) + 1;
    const given = row.at('starRating');
    if (given === 'STAR_RATING_UNSPECIFIED') return unrated(row.string('comment'));
    if (stars === 0) {
      const expected = 'expected ONE, TWO, THREE, FOUR or FIVE';
      row.problems.push(`starRating: ${expected}, got ${show(given)}; export the reviews again`);
    }
    return {
      source: 'google',
      // Takeout has the name of the resource only; its last part is the id of the API.
      source_id: row.at('reviewId') ?? row.string('name')?.split('/').at(-1) ?? null,
      author: row.string('reviewer.displayName') ?? ANONYMOUS,
      author_avatar_url: row.at('reviewer.profilePhotoUrl'),
      rating: stars,
      date: row.date('createTime'),
      text: originalText(row, 'comment'),
      owner_reply: replyOf(row),
      location: /\/?locations\/([^/]+)\//.exec(row.string('name') ?? '')?.[1],
    };
  },
};

/** The reply, unless Google does not show it. */
function replyOf(row: ItemReading): unknown {
  const state = row.string('reviewReply.reviewReplyState');
  if (state === null || /^APPROVED$|UNSPECIFIED$/.test(state)) {
    const text = originalText(row, 'reviewReply.comment');
    return row.reply(text, row.date('reviewReply.updateTime'));
  }
  row.notes.push(`reply left out: its state is ${show(state)}`);
  return null;
}

const TRANSLATED =
  /\((?:Translated by|Übersetzt von|Traduit par|Traducido por|Traduzione di|Tradotto da|Vertaald door|Traduzid[ao] p(?:or|el[ao])|Przetłumaczone przez|Översatt av|Oversat af|Oversatt av) Google\)\s*/;
const ORIGINAL = /\s*\((?:Originale?|Avis d['’]origine|Origineel|Oryginał)\)\s*/;

/**
 * Google adds a translation to a text, in words of the language of the account: "(Translated by Google) translation (Original)
 * text", or the text and then "(Translated by Google) translation". Only the words of the reviewer are kept.
 */
function originalText(row: ItemReading, name: string): unknown {
  const text = row.at(name);
  if (typeof text !== 'string' || !TRANSLATED.test(text)) return text;
  const [before = '', after = ''] = split(text, TRANSLATED);
  const [, original = null] = split(after, ORIGINAL);
  const kept = original ?? before.trim();
  if (kept === '') {
    row.notes.push('only the translation by Google is known');
    return after.trim();
  }
  row.notes.push('translation by Google left out');
  return kept;
}

function split(text: string, mark: RegExp): string[] {
  const match = mark.exec(text);
  return match === null
    ? [text]
    : [text.slice(0, match.index), text.slice(match.index + match[0].length)];
}
