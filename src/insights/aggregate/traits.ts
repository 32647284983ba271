// Traits: how reviews describe a person, from what they praise in the sentence that names the person.

import type { TechnicianEntity, Trait } from '../../model/insights.ts';
import { agrees } from '../../model/quotable.ts';
import { isPlain } from '../editorial/quoting.ts';
import type { IndexedMention, MentionIndex } from './mentions.ts';
import traitLabels from '../../model/trait-labels.json' with { type: 'json' };

/** The least number of reviews that praise a trait. */
const FEWEST = 3;
const MAX_TRAITS = 4;
const EXAMPLES = 5;

/** Aspects that describe a person, as words about one. */
export const TRAIT_LABELS: Readonly<Record<string, string>> = traitLabels;

/** People with their traits; who has left has none. */
export function withTraits(
  people: readonly Omit<TechnicianEntity, 'traits'>[],
  mentions: MentionIndex,
): TechnicianEntity[] {
  return people.map((person) => ({
    ...person,
    traits:
      person.active === false
        ? []
        : mentions.result('technicians', person.id, ['traits', person.name], () =>
            traitsOf(mentions, person),
          ),
  }));
}

/** Aspects of conduct and work: in a review of one person they are about that person, unless it speaks of OTHERS. */
const PERSONAL: ReadonlySet<string> = new Set(
  'friendliness communication cleanliness technical_knowledge professionalism quality_of_work problem_resolution'.split(
    ' ',
  ),
);
const OTHERS =
  /\b(?:office|reception\w*|dispatch\w*|phone|website|company|crew|team|guys|everyone|staff|emails?|texts?|they|named)\b/i;

/** The traits of a person, most often praised first. */
function traitsOf(
  mentions: MentionIndex,
  { id, name }: { readonly id: string; readonly name: string },
): Trait[] {
  const first = name.split(' ')[0]!.replace(/[^\p{L}\p{N}]/gu, '.');
  const firstName = new RegExp(`(?<!\\p{L}|\\bwith )${first}(?![\\p{L}'’])`, 'iu');
  const own = mentions.of('technicians', id);
  if (own.length < FEWEST) return [];
  const traits = new Map<string, { phrases: string[]; ids: string[] }>();
  for (const { label, phrase, reviewId, isShown } of own.flatMap((one) =>
    praisedBy(one, firstName),
  )) {
    const known = traits.get(label) ?? { phrases: [], ids: [] };
    traits.set(label, known);
    // The phrases of a review follow one another.
    if (known.ids.at(-1) === reviewId) continue;
    if (isShown) known.phrases.push(phrase);
    known.ids.push(reviewId);
  }
  return [...traits]
    .filter(([, { ids }]) => ids.length >= FEWEST)
    .toSorted(([a, m], [b, n]) => n.ids.length - m.ids.length || (a < b ? -1 : 1))
    .slice(0, MAX_TRAITS)
    .map(([label, { phrases, ids }]) => ({
      label,
      review_count: ids.length,
      phrases: [...new Set(phrases)].slice(0, EXAMPLES),
      review_ids: ids.slice(0, EXAMPLES),
    }));
}

interface Praised {
  readonly label: string;
  readonly phrase: string;
  readonly reviewId: string;
  /** Whether the phrase, read alone, is praise of the person. */
  readonly isShown: boolean;
}

/** What a review that praises a person praises: in a phrase that names the person and, if it names nobody else, also
 * where it speaks of "he" or "she", or of what only the person can have done. */
function praisedBy({ review, entry, mention }: IndexedMention, firstName: RegExp): Praised[] {
  if (mention.sentiment !== 'positive') return [];
  const isAlone = entry.technicians.length === 1;
  return entry.aspects.flatMap(({ id: aspect, sentiment, phrase }) => {
    const label = TRAIT_LABELS[aspect];
    if (sentiment !== 'positive' || label === undefined) return [];
    const isTheirs = () =>
      isAlone &&
      ((review.rating >= 4 && PERSONAL.has(aspect) && !OTHERS.test(phrase)) ||
        (/\b(?:he|she)\b/i.test(phrase) && !/\bnamed\b/.test(phrase)));
    // "Grace's bags" are not about Grace.
    const isPossessive = () => firstName.test(phrase.replace(/['’]s\b/g, ''));
    const isMeant = firstName.test(phrase) || (isTheirs() && !isPossessive());
    const isShown =
      firstName.test(phrase) && isPlain(phrase, review, 'positive') && agrees(review, 'positive');
    return isMeant ? [{ label, phrase, reviewId: review.id, isShown }] : [];
  });
}
