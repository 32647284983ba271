/** Checks that the gold data are what their README says: readable, consistent, and enough of them. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readItems } from '../../bench/evaluate/data.ts';
import { labelOfProblem } from '../../src/insights/entities/problems/named.ts';

const ASPECTS = [
  'punctuality',
  'communication',
  'professionalism',
  'friendliness',
  'technical_knowledge',
  'quality_of_work',
  'pricing',
  'transparency',
  'cleanliness',
  'responsiveness',
  'scheduling',
  'problem_resolution',
  'value',
  'safety',
] as const;

const problem = z.string().refine((id) => labelOfProblem(id, 'home_services') !== null);
const sentiment = z.enum(['positive', 'neutral', 'negative']);
const item = z.strictObject({
  id: z.string().regex(/^hs[23]?-\d{3}$/),
  text: z.string().trim().min(1),
  rating: z.int().min(1).max(5),
  author: z.string().trim().min(1),
  aspects: z.array(z.strictObject({ id: z.enum(ASPECTS), sentiment })),
  optional_aspects: z.array(z.enum(ASPECTS)),
  technicians: z.array(z.string().trim().min(1)),
  technician_sentiment: z.record(z.string(), sentiment),
  problems: z.array(problem).optional(),
  optional_problems: z.array(problem).optional(),
});

const load = (part: string) =>
  z.array(item).parse(readItems<unknown>(`gold/home-services.${part}.ndjson`));

const dev = load('dev');
const dev2 = load('dev-2');
const dev3 = load('dev-3');
const heldOut = load('held-out');
const all = [...dev, ...dev2, ...dev3, ...heldOut];

/** The ids of the items that a check holds against: a failure names them and shows no text of the held-out part. */
const idsWhere = (bad: (each: (typeof all)[number]) => boolean): string[] =>
  all.filter(bad).map((each) => each.id);

const repeats = (values: readonly string[]): boolean => new Set(values).size < values.length;

describe('the gold set', () => {
  it('has at least 400 items, a third of them held out', () => {
    const pool = dev.length + heldOut.length;
    expect(pool).toBeGreaterThanOrEqual(400);
    expect(heldOut.length * 3).toBeGreaterThanOrEqual(pool);
  });

  it('has no id and no text twice, in one part or across them', () => {
    const seen = new Set<string>();
    const twice = idsWhere(({ id, text }) => {
      const words = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
      const known = seen.has(id) || seen.has(words);
      seen.add(id).add(words);
      return known;
    });
    expect(twice).toEqual([]);
  });

  it('names an aspect once in an item, as found or as optional', () => {
    expect(
      idsWhere(({ aspects, optional_aspects }) =>
        repeats([...aspects.map(({ id }) => id), ...optional_aspects]),
      ),
    ).toEqual([]);
  });

  it('names a problem once in an item, in all of the third development part', () => {
    expect(
      idsWhere(({ problems = [], optional_problems: open = [] }) =>
        repeats([...problems, ...open]),
      ),
    ).toEqual([]);
    expect(dev3.filter(({ problems }) => problems === undefined)).toEqual([]);
  });

  it('names technicians as the text does, with the capitals of a name, each once', () => {
    expect(
      idsWhere(
        ({ text, technicians }) =>
          repeats(technicians.map((name) => name.toLowerCase())) ||
          technicians.some(
            (name) =>
              !text.toLowerCase().includes(name.toLowerCase()) ||
              !name.split(' ').every((word) => /^\p{Lu}/u.test(word)),
          ),
      ),
    ).toEqual([]);
  });

  it('has a sentiment only for technicians that it lists', () => {
    expect(
      idsWhere(({ technicians, technician_sentiment }) =>
        Object.keys(technician_sentiment).some((name) => !technicians.includes(name)),
      ),
    ).toEqual([]);
  });

  it('never takes the author for a technician', () => {
    expect(
      idsWhere(({ author, technicians }) =>
        technicians.some((name) => name.toLowerCase() === author.toLowerCase()),
      ),
    ).toEqual([]);
  });

  it.each([
    ['development', dev],
    ['second development', dev2],
    ['third development', dev3],
    ['held-out', heldOut],
  ])('has every aspect with praise and complaint in the %s part', (_, part) => {
    const found = new Set(
      part.flatMap(({ aspects }) => aspects.map(({ id, sentiment: how }) => `${id} ${how}`)),
    );
    const missing = ASPECTS.flatMap((id) => [`${id} positive`, `${id} negative`]).filter(
      (pair) => !found.has(pair),
    );
    expect(missing).toEqual([]);
  });
});
