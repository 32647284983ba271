// Reviews of apps: the App Store Connect API, Apple's public feed as JSON, and the monthly CSV reports and the
// API of Google Play.

import { csvReader, type JsonReader } from './reader.ts';
import { isObject, type JsonObject, memberAt, readAttributes, textOf } from './values.ts';

export const appStore: JsonReader = {
  kind: 'json',
  name: 'app-store',
  title: 'customer reviews of App Store Connect',
  lists: ['data', 'included', ''],
  recognise(item) {
    const attributes = item['attributes'];
    const isReview = isObject(attributes) && 'reviewerNickname' in attributes;
    return isReview && item['type'] === 'customerReviews';
  },
  /** As JSON:API has it: the answer to a review is an object of its own, in `included`. */
  join(items) {
    const isResponse = ({ type }: JsonObject) => type === 'customerReviewResponses';
    const responses = new Map(items.filter(isResponse).map((item) => [item['id'], item]));
    return items.map((item) => {
      const response = responses.get(memberAt(item, 'relationships.response.data.id'));
      return isResponse(item) ? null : { ...item, response: response?.['attributes'] };
    });
  },
  read(row) {
    const state = row.string('response.state');
    const isPublished = state === null || state === 'PUBLISHED';
    if (!isPublished) row.notes.push(`reply left out: its state is ${state}`);
    return {
      source: 'app-store',
      source_id: row.at('id'),
      author: row.at('attributes.reviewerNickname'),
      rating: row.stars('attributes.rating'),
      date: row.date('attributes.createdDate'),
      title: row.at('attributes.title'),
      text: row.at('attributes.body'),
      owner_reply: isPublished
        ? row.reply(row.at('response.responseBody'), row.date('response.lastModifiedDate'))
        : null,
      attributes: readAttributes({ country: 'attributes.territory' }, row.at, row.notes),
    };
  },
};

export const appStoreFeed: JsonReader = {
  kind: 'json',
  name: 'app-store-feed',
  title: 'the public feed of customer reviews of the App Store, as JSON',
  lists: ['feed.entry'],
  recognise: (item) => 'im:rating' in item,
  read(row) {
    // The first entry of older feeds is the app itself.
    if (row.at('im:rating') === undefined) return { leftOut: 'entry without a rating' };
    return {
      source: 'app-store',
      source_id: row.at('id.label'),
      author: row.at('author.name.label'),
      rating: row.stars('im:rating.label'),
      date: row.date('updated.label'),
      title: row.at('title.label'),
      text: row.at('content.label'),
      attributes: readAttributes({ version: 'im:version.label' }, row.at, row.notes),
    };
  },
};

const PLAY_USER = 'A Google Play user';

export const googlePlay: JsonReader = {
  kind: 'json',
  name: 'google-play',
  title: 'reviews of the Google Play Developer API',
  lists: ['reviews', ''],
  recognise: (item) => isObject(memberAt(item, 'comments.0.userComment')) && 'reviewId' in item,
  read(row) {
    const [user, reply] = ['comments.0.userComment', 'comments.1.developerComment'];
    return {
      source: 'google-play',
      source_id: row.at('reviewId'),
      author: row.string('authorName') ?? PLAY_USER,
      rating: row.stars(`${user}.starRating`),
      date: row.epoch(`${user}.lastModified.seconds`, 1000),
      ...titleAndText(row.at(`${user}.text`)),
      owner_reply: row.reply(
        row.at(`${reply}.text`),
        row.epoch(`${reply}.lastModified.seconds`, 1000),
      ),
      attributes: readAttributes(
        { version: `${user}.appVersionName`, language: `${user}.reviewerLanguage` },
        row.at,
        row.notes,
      ),
    };
  },
};

/** The API puts a title before the text, with a tab between them. */
function titleAndText(value: unknown): { title: string | null; text: unknown } {
  if (typeof value !== 'string') return { title: null, text: value };
  const [title = '', ...text] = value.split('\t');
  return text.length === 0
    ? { title: null, text: value }
    : { title: textOf(title), text: text.join('\t') };
}

export const googlePlayCsv = csvReader({
  name: 'google-play-csv',
  title: 'a review report of the Google Play Console',
  columns: {
    dateMs: ['Review Submit Millis Since Epoch'],
    stars: ['Star Rating'],
    title: ['Review Title'],
    text: ['Review Text'],
    reply: ['Developer Reply Text'],
    replyMs: ['Developer Reply Millis Since Epoch'],
    url: ['Review Link'],
    package: ['Package Name'],
    version: ['App Version Name'],
    language: ['Reviewer Language'],
  },
  required: ['dateMs', 'stars'],
  distinctive: ['dateMs'],
  read: (row) => ({
    source: 'google-play',
    source_id:
      idOfLink(row.string('url')) ?? `${row.string('package') ?? ''}:${row.string('dateMs') ?? ''}`,
    author: PLAY_USER,
    rating: row.stars('stars'),
    date: row.epoch('dateMs', 1),
    title: row.at('title'),
    text: row.at('text'),
    owner_reply: row.reply(row.at('reply'), row.epoch('replyMs', 1)),
    attributes: readAttributes({ version: 'version', language: 'language' }, row.at, row.notes),
  }),
});

/**
 * The link leads into the console of the developer, so only its id is kept. Rows without one are told apart by
 * their time: several users, who have no names here, may rate on one day.
 */
function idOfLink(link: string | null): string | null {
  const id = /[?&#;:](?:reviewId|id)=([^&#]+)/i.exec(link ?? '')?.[1];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return id ?? null;
  }
}
