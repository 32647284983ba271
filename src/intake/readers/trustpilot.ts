// Service reviews of Trustpilot: of its API, and of the CSV export of Trustpilot Business.

import type { CsvReader, JsonReader } from './reader.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

/**
 * Levels of verification that Trustpilot gives after it checked an order or an invitation by the business.
 * `redirected`, `notVerified` and unknown ones prove nothing.
 */
const VERIFIED_LEVELS = ['verified', 'invited'];

/**
 * Sources of reviews in the export behind which there was an order. Invitations that a business sends by hand,
 * links and organic reviews prove nothing.
 */
const VERIFIED_SOURCES = ['verified', 'automatic invitation'];

export const trustpilot: JsonReader = {
  kind: 'json',
  name: 'trustpilot',
  title: 'reviews of the Trustpilot API',
  lists: ['reviews', ''],
  recognise(item) {
    if (!('stars' in item) || !isObject(item['consumer']) || !('createdAt' in item)) return 'no';
    const isCertain = ['reviewVerificationLevel', 'businessUnit', 'companyReply', 'isVerified'];
    return isCertain.some((key) => key in item) ? 'certain' : 'possible';
  },
  read(item) {
    const { status = 'active' } = item;
    if (status !== null && status !== 'active')
      return { leftOut: `status is ${JSON.stringify(status)}` };
    const reading = new ItemReading();
    const level = textOf(item['reviewVerificationLevel'] ?? item['verificationLevel']);
    const id = textOf(item['id']);
    const replyDate = reading.date(
      'companyReply.createdAt',
      memberAt(item, 'companyReply.createdAt'),
    );
    return reading.finish({
      source: 'trustpilot',
      source_id: id,
      author: memberAt(item, 'consumer.displayName'),
      rating: reading.stars('stars', item['stars']),
      date: reading.date('createdAt', item['createdAt']),
      title: item['title'],
      text: item['text'],
      source_url: id === null ? null : pageOf(id),
      owner_reply: reading.reply(memberAt(item, 'companyReply.text'), replyDate),
      ...verification(level, VERIFIED_LEVELS, item['isVerified'] === true),
    });
  },
};

export const trustpilotCsv: CsvReader<
  'id' | 'date' | 'author' | 'title' | 'text' | 'stars' | 'origin' | 'reply' | 'replyDate'
> = {
  kind: 'csv',
  name: 'trustpilot-csv',
  title: 'the CSV export of Trustpilot Business',
  columns: {
    id: ['Review Id'],
    date: ['Review Created (UTC)', 'Review Created'],
    author: ['Review Username', 'Review User Name', 'Consumer Name'],
    title: ['Review Title'],
    text: ['Review Content'],
    stars: ['Review Stars'],
    origin: ['Source Of Review'],
    reply: ['Company Response', 'Company Reply', 'Business Reply'],
    replyDate: ['Company Reply Date (UTC)', 'Business Reply Date (UTC)'],
  },
  required: ['id', 'date', 'author', 'stars'],
  distinctive: ['stars'],
  read(values) {
    const reading = new ItemReading();
    const id = values('id');
    const replyDate = reading.date('Company Reply Date (UTC)', values('replyDate'));
    return reading.finish({
      source: 'trustpilot',
      source_id: id,
      author: values('author'),
      rating: reading.stars('Review Stars', values('stars')),
      date: reading.date('Review Created (UTC)', values('date')),
      title: values('title'),
      text: values('text'),
      source_url: id === null ? null : pageOf(id),
      owner_reply: reading.reply(values('reply'), replyDate),
      ...verification(values('origin'), VERIFIED_SOURCES, false),
    });
  },
};

function pageOf(id: string): string {
  return `https://www.trustpilot.com/reviews/${encodeURIComponent(id.toWellFormed())}`;
}

/** Any other level proves nothing, and does not say that the review is false. */
function verification(
  level: string | null,
  verifiedLevels: readonly string[],
  isVerified: boolean,
): { verified_by?: string; verified_level: string | null } {
  const isProven = level === null ? isVerified : verifiedLevels.includes(level.toLowerCase());
  return {
    verified_level: level,
    ...(isProven ? { verified_by: `Trustpilot: ${level ?? 'verified'}` } : {}),
  };
}
