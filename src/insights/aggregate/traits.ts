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
  'friendliness communication cleanliness technical_knowledge professionalism quality_of_work'.split(
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
  const praised = own.flatMap((one) => praisedBy(one, firstName));
  return [...Map.groupBy(praised, ({ label }) => label)]
    .map(([label, all]) => {
      // The phrases of a review follow one another.
      const firsts = all.filter(({ reviewId }, at) => reviewId !== all[at - 1]?.reviewId);
      const phrases = firsts.flatMap(({ isShown, phrase }) => (isShown ? phrase : []));
      return {
        label,
        review_count: firsts.length,
        phrases: [...new Set(phrases)].slice(0, EXAMPLES),
        review_ids: firsts.slice(0, EXAMPLES).map(({ reviewId }) => reviewId),
      };
    })
    .filter(({ review_count: count }) => count >= FEWEST)
    .toSorted((a, b) => b.review_count - a.review_count || (a.label < b.label ? -1 : 1))
    .slice(0, MAX_TRAITS);
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
