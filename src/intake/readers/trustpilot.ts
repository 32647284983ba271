// Service reviews of Trustpilot: of its API, and of the CSV export of Trustpilot Business.

import { csvReader, type JsonReader } from './reader.ts';
import { isObject, readAttributes } from './values.ts';

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
    const hasKeys = 'stars' in item && isObject(item['consumer']) && 'createdAt' in item;
    const own = ['reviewVerificationLevel', 'businessUnit', 'companyReply', 'isVerified'];
    return hasKeys && own.some((key) => key in item);
  },
  read(row) {
    const status = row.at('status') ?? 'active';
    if (status !== 'active') return { leftOut: `status is ${JSON.stringify(status)}` };
    const level = row.string('reviewVerificationLevel') ?? row.string('verificationLevel');
    const id = row.string('id');
    return {
      source: 'trustpilot',
      source_id: id,
      author: row.at('consumer.displayName'),
      rating: row.stars('stars'),
      date: row.date('createdAt'),
      title: row.at('title'),
      text: row.at('text'),
      source_url: id === null ? null : pageOf(id),
      owner_reply: row.reply(row.at('companyReply.text'), row.date('companyReply.createdAt')),
      ...verification(level, VERIFIED_LEVELS, row.at('isVerified') === true),
      location: row.string('location.name'),
    };
  },
};

export const trustpilotCsv = csvReader({
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
    location: ['Location Name'],
    tags: ['Tags'],
  },
  required: ['id', 'date', 'author', 'stars'],
  distinctive: ['stars'],
  read(row) {
    const id = row.string('id');
    return {
      source: 'trustpilot',
      source_id: id,
      author: row.at('author'),
      rating: row.stars('stars'),
      date: row.date('date'),
      title: row.at('title'),
      text: row.at('text'),
      source_url: id === null ? null : pageOf(id),
      owner_reply: row.reply(row.at('reply'), row.date('replyDate')),
      ...verification(row.string('origin'), VERIFIED_SOURCES, false),
      location: row.string('location'),
      attributes: readAttributes({ tags: 'tags' }, row.at, row.notes),
    };
  },
});

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
