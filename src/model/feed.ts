// The published JSON Feed: the fields of version 1.1 (https://www.jsonfeed.org/version/1.1/) in use.

import { z } from 'zod';

const personSchema = z.strictObject({
  name: z.string(),
  url: z.string().optional(),
  avatar: z.url().optional(),
});

const time = z.iso.datetime();

const feedItemSchema = z.strictObject({
  id: z.string().describe('id of the review'),
  url: z.url().describe('page of the review'),
  external_url: z.url().optional().describe('permalink at its source'),
  title: z.string(),
  content_text: z.string().describe("stars, text and the owner's reply"),
  content_html: z.string().describe('the same as HTML; text of reviews is escaped'),
  date_published: time,
  date_modified: time,
  authors: z.array(personSchema),
  tags: z.array(z.string()).describe('stars, source, services and technicians'),
});

export const jsonFeedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  home_page_url: z.url(),
  feed_url: z.url(),
  description: z.string(),
  language: z
    .string()
    .describe('of titles and fixed words, such as "en-US"; each review has its own'),
  icon: z.url().optional().describe('logo of the business'),
  favicon: z.url(),
  authors: z.array(personSchema).optional().describe('the business; only if there are no items'),
  hubs: z.array(z.strictObject({ type: z.literal('WebSub'), url: z.url() })),
  items: z.array(feedItemSchema).describe('the 50 newest reviews'),
});

export type FeedItem = z.infer<typeof feedItemSchema>;
