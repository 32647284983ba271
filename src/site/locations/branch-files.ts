// The files of a branch: its newest reviews as feeds, its rating as a badge, and what other sites embed of it.

import { fillPath, ROUTES } from '../../model/routes.ts';
import { roundTo } from '../../model/rating.ts';
import { JSON_TYPE } from '../../snapshot/documents.ts';
import {
  FEED_LENGTH,
  type FeedInput,
  renderAtomFeed,
  renderJsonFeed,
} from '../../snapshot/feeds.ts';
import { editedAt } from '../../snapshot/verification.ts';
import type { Asset } from '../assets.ts';
import { renderEmbedData, SCRIPT_TYPE, starColors } from '../embed.ts';
import { renderBadge } from '../pictures/badge.ts';
import type { Branch, View } from '../view.ts';

const NAMES = ['feed.xml', 'feed.json', 'badge.svg', 'embed-data.js'] as const;

function pathOf({ id }: Branch, name: (typeof NAMES)[number]): string {
  return fillPath(ROUTES.getLocationFile.path, { id, name });
}

/** The paths of the Atom feed and of the JSON Feed of a branch. */
export function branchFeeds(branch: Branch): readonly [atom: string, json: string] {
  return [pathOf(branch, 'feed.xml'), pathOf(branch, 'feed.json')];
}

export function branchFilePaths(view: View): string[] {
  return view.branches.flatMap((branch) => NAMES.map((name) => pathOf(branch, name)));
}

/** Null if there is no such branch or file. */
export function branchFile(view: View, id: string, name: string, color: string): Asset | null {
  const branch = view.branches.find((one) => one.id === id);
  if (!branch) return null;
  const { strings, format } = view;
  const business = { ...view.business, name: `${view.business.name}, ${branch.name}` };
  const shown = view.reviewsAt(
    view.snapshot.search({ location: id, limit: FEED_LENGTH }).positions,
  );
  const feed = (): FeedInput => ({
    origin: view.origin,
    business,
    language: view.language,
    insights: {
      entities: view.insights('entities'),
      per_review: Object.fromEntries(
        shown.flatMap(({ review, insights }) => (insights ? [[review.id, insights]] : [])),
      ),
    },
    reviews: shown.map(({ review, titleLength }) => ({
      ...review,
      authorAvatarUrl: review.author_avatar_url,
      sourceUrl: review.source_url,
      ownerReply: review.owner_reply,
      title: review.text?.slice(0, titleLength) ?? null,
    })),
    editedAt: new Map(
      shown.flatMap(({ review, position }) => {
        const at = editedAt(view.snapshot, position);
        return at === null ? [] : [[review.id, at]];
      }),
    ),
    branch: { id, feeds: branchFeeds(branch) },
  });
  const mean = branch.average_rating && roundTo(branch.average_rating, 1);
  const asset = (contentType: string, body: string | Buffer): Asset => ({
    contentType,
    body: Buffer.from(body),
  });
  switch (name) {
    case 'feed.xml':
      return asset('application/atom+xml; charset=utf-8', renderAtomFeed(feed(), null));
    case 'feed.json':
      return asset(JSON_TYPE, renderJsonFeed(feed()));
    case 'badge.svg':
      return asset(
        'image/svg+xml',
        renderBadge({ strings, format, business, rating: branch }, mean, starColors(color)[0]),
      );
    case 'embed-data.js':
      return asset(SCRIPT_TYPE, renderEmbedData(view, color, { branch, shown }));
    default:
      return null;
  }
}
