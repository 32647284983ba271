// The formats of platforms that are read as they are exported.

import type { Reader } from './reader.ts';
import { appStore, appStoreFeed, googlePlay, googlePlayCsv } from './app-stores.ts';
import { facebook } from './facebook.ts';
import { feefo } from './feefo.ts';
import { googleBusiness } from './google-business.ts';
import { googlePlaces } from './google-places.ts';
import { judgeMe, wooCommerce, wooCommerceCsv, yotpo } from './shops.ts';
import { tripadvisor } from './tripadvisor.ts';
import { trustpilot, trustpilotCsv } from './trustpilot.ts';
import { webPage } from './web-page.ts';
import { yelp } from './yelp.ts';

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
  feefo,
  webPage,
];
