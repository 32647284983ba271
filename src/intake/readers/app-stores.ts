// Reviews of apps: the App Store Connect API, Apple's public feed as JSON, and the monthly CSV reports and the
// API of Google Play.

import type { CsvReader, JsonReader } from './reader.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

export const appStore: JsonReader = {
  kind: 'json',
  name: 'app-store',
  title: 'customer reviews of App Store Connect',
  lists: ['data', ''],
  recognise(item) {
    const attributes = item['attributes'];
    if (!isObject(attributes) || !('reviewerNickname' in attributes)) return 'no';
    return item['type'] === 'customerReviews' ? 'certain' : 'possible';
  },
  read(item) {
    const reading = new ItemReading();
    return reading.finish({
      source: 'app-store',
      source_id: item['id'],
      author: memberAt(item, 'attributes.reviewerNickname'),
      rating: reading.stars('rating', memberAt(item, 'attributes.rating')),
      date: reading.date('createdDate', memberAt(item, 'attributes.createdDate')),
      title: memberAt(item, 'attributes.title'),
      text: memberAt(item, 'attributes.body'),
    });
  },
};

export const appStoreFeed: JsonReader = {
  kind: 'json',
  name: 'app-store-feed',
  title: 'the public feed of customer reviews of the App Store, as JSON',
  lists: ['feed.entry'],
  recognise: (item) => ('im:rating' in item ? 'certain' : 'no'),
  read(item) {
    const reading = new ItemReading();
    // The first entry of older feeds is the app itself.
    if (!('im:rating' in item)) return { leftOut: 'entry without a rating' };
    return reading.finish({
      source: 'app-store',
      source_id: memberAt(item, 'id.label'),
      author: memberAt(item, 'author.name.label'),
      rating: reading.stars('im:rating', memberAt(item, 'im:rating.label')),
      date: reading.date('updated', memberAt(item, 'updated.label')),
      title: memberAt(item, 'title.label'),
      text: memberAt(item, 'content.label'),
    });
  },
};

const PLAY_USER = 'A Google Play user';

export const googlePlay: JsonReader = {
  kind: 'json',
  name: 'google-play',
  title: 'reviews of the Google Play Developer API',
  lists: ['reviews', ''],
  recognise(item) {
    if (!isObject(memberAt(item, 'comments.0.userComment'))) return 'no';
    return 'reviewId' in item ? 'certain' : 'possible';
  },
  read(item) {
    const reading = new ItemReading();
    const user = memberAt(item, 'comments.0.userComment');
    const reply = memberAt(item, 'comments.1.developerComment');
    const replyDate = reading.epoch('lastModified', memberAt(reply, 'lastModified.seconds'), 1000);
    return reading.finish({
      source: 'google-play',
      source_id: item['reviewId'],
      author: textOf(item['authorName']) ?? PLAY_USER,
      rating: reading.stars('starRating', memberAt(user, 'starRating')),
      date: reading.epoch('lastModified', memberAt(user, 'lastModified.seconds'), 1000),
      ...titleAndText(memberAt(user, 'text')),
      owner_reply: reading.reply(memberAt(reply, 'text'), replyDate),
    });
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

export const googlePlayCsv: CsvReader<
  'date' | 'dateMs' | 'stars' | 'title' | 'text' | 'reply' | 'replyMs' | 'url' | 'package'
> = {
  kind: 'csv',
  name: 'google-play-csv',
  title: 'a review report of the Google Play Console',
  columns: {
    date: ['Review Submit Date and Time'],
    dateMs: ['Review Submit Millis Since Epoch'],
    stars: ['Star Rating'],
    title: ['Review Title'],
    text: ['Review Text'],
    reply: ['Developer Reply Text'],
    replyMs: ['Developer Reply Millis Since Epoch'],
    url: ['Review Link'],
    package: ['Package Name'],
  },
  required: ['dateMs', 'stars'],
  distinctive: ['dateMs'],
  read(values) {
    const reading = new ItemReading();
    const replyDate = reading.epoch('Developer Reply Millis Since Epoch', values('replyMs'), 1);
    return reading.finish({
      source: 'google-play',
      source_id: idOfLink(values('url')) ?? `${values('package') ?? ''}:${values('dateMs') ?? ''}`,
      author: PLAY_USER,
      rating: reading.stars('Star Rating', values('stars')),
      date: reading.epoch('Review Submit Millis Since Epoch', values('dateMs'), 1),
      title: values('title'),
      text: values('text'),
      owner_reply: reading.reply(values('reply'), replyDate),
    });
  },
};

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
