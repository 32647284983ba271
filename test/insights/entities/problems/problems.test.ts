import { describe, expect, test } from 'vitest';
import {
  idOfProblem,
  labelOfProblem,
  problemPatternsOf,
} from '../../../../src/insights/entities/problems/named.ts';
import causes from '../../../../src/insights/entities/problems/causes.json' with { type: 'json' };
import named from '../../../../src/insights/entities/problems/named.json' with { type: 'json' };
import own from '../../../../src/insights/entities/problems/own.json' with { type: 'json' };
import { annotateText } from '../../../support/annotate-text.ts';
import { VERTICAL_FILES } from '../../../../src/insights/verticals/verticals.ts';

/** The problems and kinds of patterns that match somewhere in a text. */
function patternsIn(vertical: string, text: string): string[] {
  const { keys } = annotateText(text);
  const { patterns } = problemPatternsOf(vertical);
  return keys.words.flatMap((_, at) =>
    patterns
      .matchesAt(keys, at, keys.words.length)
      .map(({ value }) => `${value.kind} ${value.problem}`),
  );
}

describe('a problem', () => {
  test('of the list has a unique id and label', () => {
    const ids = named.problems.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
    const labels = ids.map((id) => labelOfProblem(id, 'general'));
    expect(new Set(labels).size).toBe(ids.length);
  });

  test('of the rules is one of the list', () => {
    const ids = new Set(named.problems.map(({ id }) => id));
    const used = [
      ...causes.clues.map(({ problem }) => problem),
      ...Object.values(causes.verticals).flatMap(({ same, none, labels }) => [
        ...Object.entries(same).flat(),
        ...none,
        ...Object.keys(labels),
      ]),
      ...Object.values(own.verticals).flatMap((problems) => problems.map(({ id }) => id)),
    ];
    expect(used.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('has one name in a vertical', () => {
    expect(idOfProblem('delays', 'home_services')).toBe('late-arrival');
    expect(idOfProblem('late-arrival', 'hospitality_and_travel')).toBe('delays');
    expect(patternsIn('hospitality_and_travel', 'It arrived two hours late.')).toContain(
      'pattern delays',
    );
    expect(patternsIn('home_services', 'It arrived two hours late.')).toContain(
      'pattern late-arrival',
    );
  });

  test('is not told by the patterns of a vertical that does not have it', () => {
    expect(patternsIn('hospitality_and_travel', 'They lost my luggage.')).toContain(
      'pattern lost-luggage',
    );
    expect(patternsIn('restaurants', 'They lost my luggage.')).toEqual([]);
  });

  test.each([...VERTICAL_FILES.keys()])('of %s has patterns that are well formed', (id) => {
    expect(() => problemPatternsOf(id)).not.toThrow();
  });

  test('have the labels of a vertical; an unknown one has none', () => {
    expect(labelOfProblem('late-arrival', 'home_services')).toBe('Late arrivals and delays');
    expect(labelOfProblem('unheard-of', 'home_services')).toBeNull();
  });
});
