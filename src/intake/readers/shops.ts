// Reviews of shops: the CSV exports of Judge.me, Yotpo and of WooCommerce, and its REST API. Only reviews that
// the shop publishes are read.

import { fold } from '../../model/fold.ts';
import type { CsvReader, JsonReader } from './reader.ts';
import { ItemReading } from './values.ts';

export const judgeMe: CsvReader<
  'title' | 'text' | 'stars' | 'date' | 'curated' | 'author' | 'reply' | 'replyDate' | 'pictures'
> = {
  kind: 'csv',
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
  },
  required: ['text', 'stars', 'date', 'author'],
  distinctive: ['curated', 'pictures'],
  read(values) {
    const curated = values('curated');
    if (curated !== null && curated !== 'ok') {
      return { leftOut: `curated is ${JSON.stringify(curated)}` };
    }
    const reading = new ItemReading();
    const replyDate = reading.date('reply_date', values('replyDate'));
    return reading.finish({
      source: 'judge.me',
      author: values('author'),
      rating: reading.stars('rating', values('stars')),
      date: reading.date('review_date', values('date')),
      title: values('title'),
      text: values('text'),
      owner_reply: reading.reply(values('reply'), replyDate),
    });
  },
};

const PUBLISHED = ['published', 'true', 'yes', '1'];
const BUYERS = ['verified_buyer', 'verified buyer', 'true', 'yes', '1'];

export const yotpo: CsvReader<
  'id' | 'status' | 'title' | 'text' | 'stars' | 'date' | 'author' | 'buyer' | 'reply' | 'replyDate'
> = {
  kind: 'csv',
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
  },
  required: ['text', 'stars', 'date', 'author'],
  distinctive: ['buyer', 'reply'],
  read(values) {
    const status = values('status');
    if (status !== null && !PUBLISHED.includes(fold(status))) {
      return { leftOut: `status is ${JSON.stringify(status)}` };
    }
    const reading = new ItemReading();
    const replyDate = reading.date('Comment Creation Date', values('replyDate'));
    const level = values('buyer');
    const isBuyer = level !== null && BUYERS.includes(fold(level));
    return reading.finish({
      source: 'yotpo',
      source_id: values('id'),
      author: values('author'),
      rating: reading.stars('Review Score', values('stars')),
      date: reading.date('Review Creation Date', values('date')),
      title: values('title'),
      text: values('text'),
      owner_reply: reading.reply(values('reply'), replyDate),
      verified_level: level,
      ...(isBuyer ? { verified_by: 'Yotpo: verified buyer' } : {}),
    });
  },
};

const SHOP_BUYER = 'WooCommerce: bought in the shop';

export const wooCommerce: JsonReader = {
  kind: 'json',
  name: 'woocommerce',
  title: 'product reviews of the WooCommerce API',
  lists: ['', 'reviews'],
  recognise(item) {
    if (!('reviewer' in item) || !('review' in item) || !('rating' in item)) return 'no';
    return 'date_created_gmt' in item && 'product_id' in item ? 'certain' : 'possible';
  },
  read(item) {
    const { status = 'approved' } = item;
    if (status !== 'approved') return { leftOut: `status is ${JSON.stringify(status)}` };
    if (item['rating'] === 0) return { leftOut: 'entry without a rating' };
    const reading = new ItemReading();
    const created = item['date_created_gmt'] ?? item['date_created'];
    return reading.finish({
      source: 'woocommerce',
      source_id: item['id'],
      author: item['reviewer'],
      rating: reading.stars('rating', item['rating']),
      date: reading.date('date_created_gmt', created),
      text: reading.html('review', item['review']),
      ...(item['verified'] === true ? { verified_by: SHOP_BUYER } : {}),
    });
  },
};

/** The columns are those of the table of comments, which the exporting plugins share. */
export const wooCommerceCsv: CsvReader<
  'id' | 'author' | 'date' | 'text' | 'approved' | 'stars' | 'title' | 'buyer' | 'parent'
> = {
  kind: 'csv',
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
  read(values) {
    const approved = values('approved');
    if (approved !== null && approved !== '1' && approved !== 'approve') {
      return { leftOut: `comment_approved is ${JSON.stringify(approved)}` };
    }
    const isReply = (values('parent') ?? '0') !== '0';
    if (isReply || values('stars') === null) return { leftOut: 'entry without a rating' };
    const reading = new ItemReading();
    const isBuyer = values('buyer') === '1';
    return reading.finish({
      source: 'woocommerce',
      source_id: values('id'),
      author: values('author'),
      rating: reading.stars('rating', values('stars')),
      date: reading.date('comment_date_gmt', values('date')),
      title: values('title'),
      text: reading.html('comment_content', values('text')),
      ...(isBuyer ? { verified_by: SHOP_BUYER } : {}),
    });
  },
};
