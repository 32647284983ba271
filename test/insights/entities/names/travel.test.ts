import { expect, test } from 'vitest';
import { confirmNames } from '../../../../src/insights/entities/names/confirm.ts';
import { buildRoster } from '../../../../src/insights/entities/names/roster.ts';
import { findTechnicians } from '../../../../src/insights/entities/names/technicians.ts';
import { annotateText } from '../../../support/annotate-text.ts';

/** The people that reviews name who work for the business. */
function peopleIn(...texts: string[]): string[] {
  const found = texts.map((text) => {
    const annotated = annotateText(text);
    const context = {
      author: 'Ann B',
      rating: 4,
      vertical: 'airlines',
      ownWords: new Set<string>(),
      isTaken: () => false,
    };
    return findTechnicians(annotated, buildRoster([]), context, () => 'neutral');
  });
  const { technicians, mentionsOf } = confirmNames(found, new Set());
  const ids = new Set(found.flatMap(({ names }) => mentionsOf(names, 4).map(({ id }) => id)));
  return technicians.flatMap(({ id, name }) => (ids.has(id) ? [name] : []));
}

test.each([
  ['A special thanks to cabin crew member Sarah who looked after us.', ['Sarah']],
  ['Thanks to James at check-in for his patience.', ['James']],
  ['The purser, Olivia, moved us to the front.', ['Olivia']],
  ['Captain Hughes kept us informed.', ['Hughes']],
  ['The gentleman next to me, Peter, was loud.', []],
  ['The answer began with "Dear Sandra". I am not Sandra.', []],
  ['The FAs were courteous. FAs helped us with the bags.', []],
  ['I booked with Expedia. They told us to call Expedia.', []],
  ['Letters to Graham Falk are ignored.', []],
])('the people of %j are %j', (text, people) => {
  expect(peopleIn(text)).toEqual(people);
});
