// The formats of platforms that are read as they are exported.

import type { Reader } from './reader.ts';
import { appStore, googlePlay, googlePlayCsv } from './app-stores.ts';
import { facebook } from './facebook.ts';
import { feefo } from './feefo.ts';
import { googleBusiness } from './google-business.ts';
import { googlePlaces } from './google-places.ts';
import { platformReader } from './platform.ts';
import { webPage } from './web-page.ts';
import { wordPress } from './wordpress.ts';
import { yelp } from './yelp.ts';

/** In the order of docs/import.md. */
export const READERS: readonly Reader[] = [
  googleBusiness,
  googlePlaces,
  facebook,
  yelp,
  platformReader('trustpilot'),
  platformReader('trustpilot-csv'),
  platformReader('tripadvisor'),
  appStore,
  platformReader('app-store-feed'),
  googlePlay,
  googlePlayCsv,
  platformReader('judgeme'),
  platformReader('yotpo'),
  platformReader('woocommerce'),
  platformReader('woocommerce-csv'),
  wordPress,
  feefo,
  webPage,
];
