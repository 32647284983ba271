// The formats of platforms that are read as they are exported.

import type { Reader } from './reader.ts';
import { appStore, appStoreFeed, googlePlay, googlePlayCsv } from './readers/app-stores.ts';
import { facebook } from './readers/facebook.ts';
import { feed } from './readers/feed.ts';
import { googleBusiness } from './readers/google-business.ts';
import { googlePlaces } from './readers/google-places.ts';
import { judgeMe, wooCommerce, wooCommerceCsv, yotpo } from './readers/shops.ts';
import { tripadvisor } from './readers/tripadvisor.ts';
import { trustpilot, trustpilotCsv } from './readers/trustpilot.ts';
import { webPage } from './readers/web-page.ts';
import { yelp } from './readers/yelp.ts';

/** In the order of docs/import.md. */
export const READERS: readonly Reader[] = [
  googleBusiness,
  googlePlaces,
  facebook,
  yelp,
  trustpilot,
  trustpilotCsv,
  tripadvisor,
  appStore,
  appStoreFeed,
  googlePlay,
  googlePlayCsv,
  judgeMe,
  yotpo,
  wooCommerce,
  wooCommerceCsv,
  webPage,
  feed,
];
