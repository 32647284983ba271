// Reviews of shops: the CSV exports of Judge.me, Yotpo and of WooCommerce, and its REST API. Only reviews that
// the shop publishes are read.

import { fold } from '../../model/fold.ts';
import { csvReader, type JsonReader } from './reader.ts';
import { readAttributes } from './values.ts';

export const judgeMe = csvReader({
  name: 'judgeme',
  title: 'the CSV export of Judge.me',
  columns: {
    title: ['title'],
    text: ['body'],
    stars: ['rating'],
    date: ['review_date'],
    curated: ['curated'],
    author: ['reviewer_name'],
    reply: ['reply'],
    replyDate: ['reply_date'],
    pictures: ['picture_urls'],
    product: ['product_title', 'product_handle'],
  },
  required: ['text', 'stars', 'date', 'author'],
  distinctive: ['curated', 'pictures'],
  read(row) {
    const curated = row.string('curated') ?? 'ok';
    if (curated !== 'ok') return { leftOut: `curated is ${JSON.stringify(curated)}` };
    return {
      source: 'judge.me',
      author: row.at('author'),
      rating: row.stars('stars'),
      date: row.date('date'),
      title: row.at('title'),
      text: row.at('text'),
      owner_reply: row.reply(row.at('reply'), row.date('replyDate')),
      attributes: readAttributes({ product: 'product' }, row.at, row.notes),
    };
  },
});

const PUBLISHED = ['published', 'true', 'yes', '1'];
const BUYERS = ['verified_buyer', 'verified buyer', 'true', 'yes', '1'];

export const yotpo = csvReader({
  name: 'yotpo',
  title: 'the CSV export of Yotpo',
  columns: {
    id: ['Review ID', 'review_id'],
    status: ['Review Status', 'Published', 'review_status'],
    title: ['Review Title', 'review_title'],
    text: ['Review Content', 'review_content'],
    stars: ['Review Score', 'review_score'],
    date: ['Review Creation Date', 'Review Date', 'Date', 'review_date', 'review_creation_date'],
    author: ['Reviewer Display Name', 'Display Name', 'Reviewer Name', 'display_name'],
    buyer: ['Reviewer Type', 'Verified Purchase', 'Verified Buyer', 'user_type'],
    reply: ['Comment Content', 'comment_content'],
    replyDate: ['Comment Creation Date', 'Comment Date', 'comment_created_at'],
    isPublic: ['Comment Public', 'comment_public'],
    product: ['Product Title', 'Product Name', 'product_title'],
  },
  required: ['text', 'stars', 'date', 'author'],
  distinctive: ['buyer', 'reply'],
  read(row) {
    const status = row.string('status') ?? 'published';
    if (!PUBLISHED.includes(fold(status))) {
      return { leftOut: `status is ${JSON.stringify(status)}` };
    }
    const level = row.string('buyer');
    const isBuyer = level !== null && BUYERS.includes(fold(level));
    return {
      source: 'yotpo',
      source_id: row.at('id'),
      author: row.at('author'),
      rating: row.stars('stars'),
      date: row.date('date'),
      title: row.at('title'),
      text: row.at('text'),
      owner_reply:
        fold(row.string('isPublic') ?? '') === 'false'
          ? null
          : row.reply(row.at('reply'), row.date('replyDate')),
      verified_level: level,
      attributes: readAttributes({ product: 'product' }, row.at, row.notes),
      ...(isBuyer ? { verified_by: 'Yotpo: verified buyer' } : {}),
    };
  },
});

const SHOP_BUYER = 'WooCommerce: bought in the shop';

export const wooCommerce: JsonReader = {
  kind: 'json',
  name: 'woocommerce',
  title: 'product reviews of the WooCommerce API',
  lists: ['', 'reviews'],
  recognise(item) {
    const hasKeys = 'reviewer' in item && 'review' in item && 'rating' in item;
    return hasKeys && 'date_created_gmt' in item && 'product_id' in item;
  },
  read(row) {
    const status = row.at('status');
    if (status !== undefined && status !== 'approved')
      return { leftOut: `status is ${JSON.stringify(status)}` };
    if (row.at('rating') === 0) return { leftOut: 'entry without a rating' };
    const isUtc = (row.at('date_created_gmt') ?? null) !== null;
    return {
      source: 'woocommerce',
      source_id: row.at('id'),
      author: row.at('reviewer'),
      rating: row.stars('rating'),
      date: row.date(isUtc ? 'date_created_gmt' : 'date_created'),
      text: row.html('review'),
      attributes: readAttributes({ product: 'product_name' }, row.at, row.notes),
      ...(row.at('verified') === true ? { verified_by: SHOP_BUYER } : {}),
    };
  },
};

/** The columns are those of the table of comments, which the exporting plugins share. */
export const wooCommerceCsv = csvReader({
  name: 'woocommerce-csv',
  title: 'a CSV export of product reviews of WooCommerce',
  columns: {
    id: ['comment_ID'],
    author: ['comment_author'],
    date: ['comment_date_gmt', 'comment_date'],
    text: ['comment_content'],
    approved: ['comment_approved'],
    stars: ['rating'],
    title: ['title'],
    buyer: ['verified'],
    parent: ['comment_parent'],
  },
  required: ['author', 'date', 'text', 'stars'],
  distinctive: ['text'],
  read(row) {
    const approved = row.string('approved') ?? '1';
    if (approved !== '1' && approved !== 'approve') {
      return { leftOut: `comment_approved is ${JSON.stringify(approved)}` };
    }
    const isReply = (row.string('parent') ?? '0') !== '0';
    if (isReply || row.at('stars') === null) return { leftOut: 'entry without a rating' };
    return {
      source: 'woocommerce',
      source_id: row.at('id'),
      author: row.at('author'),
      rating: row.stars('stars'),
      date: row.date('date'),
      title: row.at('title'),
      text: row.html('text'),
      ...(row.string('buyer') === '1' ? { verified_by: SHOP_BUYER } : {}),
    };
  },
});
