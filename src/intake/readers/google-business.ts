// Reviews of a Google Business Profile: of Google Takeout and of the Business Profile API, which have the
// same members.

import { show } from '../../errors.ts';
import type { JsonObject, JsonReader } from './reader.ts';
import type { Outcome } from '../record.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

const STARS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
/** What Google shows instead of a name. */
const ANONYMOUS = 'A Google user';

export const googleBusiness: JsonReader = {
  kind: 'json',
  name: 'google-business',
  title: 'reviews of a Google Business Profile',
  lists: ['reviews', ''],
  recognise(item) {
    if (!('starRating' in item) || !('createTime' in item)) return 'no';
    return isObject(item['reviewer']) || 'reviewReply' in item || 'updateTime' in item
      ? 'certain'
      : 'possible';
  },
  read(item): Outcome {
    const reading = new ItemReading();
    const given = item['starRating'];
    const stars = STARS.indexOf(String(given)) + 1;
    if (stars === 0) {
      reading.problems.push(
        `starRating: expected ONE, TWO, THREE, FOUR or FIVE, got ${show(given)}`,
      );
    }
    const reply = memberAt(item, 'reviewReply.comment');
    const replyDate = reading.date(
      'reviewReply.updateTime',
      memberAt(item, 'reviewReply.updateTime'),
    );
    return reading.finish({
      source: 'google',
      source_id: idOf(item),
      author: textOf(memberAt(item, 'reviewer.displayName')) ?? ANONYMOUS,
      author_avatar_url: memberAt(item, 'reviewer.profilePhotoUrl'),
      rating: stars,
      date: reading.date('createTime', item['createTime']),
      text: originalText(item['comment'], reading),
      owner_reply: reading.reply(originalText(reply, reading), replyDate),
    });
  },
};

/** Takeout has the name of the resource only; its last part is the id of the API. */
function idOf(item: JsonObject): unknown {
  return item['reviewId'] ?? textOf(item['name'])?.split('/').at(-1) ?? null;
}

const TRANSLATED = /\(Translated by Google\)\s*/;
const ORIGINAL = /\s*\(Original\)\s*/;

/**
 * Google adds a translation to a text: "(Translated by Google) translation (Original) text", or the text
 * and then "(Translated by Google) translation". Only the words of the reviewer are kept.
 */
export function originalText(text: unknown, reading: ItemReading): unknown {
  if (typeof text !== 'string' || !TRANSLATED.test(text)) return text;
  const [before = '', after = ''] = split(text, TRANSLATED);
  const [, original = null] = split(after, ORIGINAL);
  const kept = original ?? before.trim();
  if (kept === '') {
    reading.notes.push('only the translation by Google is known');
    return after.trim();
  }
  reading.notes.push('translation by Google left out');
  return kept;
}

/** What is before and after the first match. */
function split(text: string, mark: RegExp): string[] {
  const match = mark.exec(text);
  return match === null
    ? [text]
    : [text.slice(0, match.index), text.slice(match.index + match[0].length)];
}
