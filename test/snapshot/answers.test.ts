// Answers about one technician or service, where names are shared or many reviews mention them.

import { describe, expect, test } from 'vitest';
import { businessSchema } from '../../src/model/business.ts';
import { Answers } from '../../src/snapshot/answers.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const said = (number: number, text: string) =>
  review({ id: ulidOf(number), date: `2024-01-${String(number).padStart(2, '0')}`, text });

describe('a technician', () => {
  test('comes with the five newest reviews of it', async () => {
    const reviews = Array.from({ length: 9 }, (_, at) => said(at + 1, 'Mike Alvarez was great.'));
    const answers = new Answers(await snapshotOf(reviews));
    const { reviews: shown } = JSON.parse(answers.technician('mike'));
    expect(shown.map(({ id }: { id: string }) => id)).toEqual(
      [9, 8, 7, 6, 5].map((at) => ulidOf(at)),
    );
  });

  test('whose name another has too is not guessed: both are named, and nobody else', async () => {
    const business = businessSchema.parse({
      ...BUSINESS,
      technicians: [
        { id: 'dan-a', name: 'Dan Adams', aliases: ['Danny'] },
        { id: 'dan-b', name: 'Dan Brown', aliases: ['Danny'] },
        { id: 'eve', name: 'Eve Clark' },
      ],
    });
    const reviews = [
      said(1, 'Dan Adams came.'),
      said(2, 'Dan Brown came.'),
      said(3, 'Eve Clark came.'),
    ];
    const answers = new Answers(await snapshotOf(reviews, { business }));
    expect(JSON.parse(answers.technician('danny'))).toEqual({
      technician: null,
      reviews: [],
      names: expect.arrayContaining(['Dan Adams', 'Dan Brown']),
    });
    expect(JSON.parse(answers.technician('danny')).names).toHaveLength(2);
    expect(JSON.parse(answers.technician('Bob')).names).toHaveLength(3);
    expect(JSON.parse(answers.technician('dan-b')).technician.name).toBe('Dan Brown');
  });

  test('is shown only its own reviews, where its id is the alias of another', async () => {
    const business = businessSchema.parse({
      ...BUSINESS,
      technicians: [
        { id: 'sam', name: 'Sam Stone', aliases: [] },
        { id: 'samuel', name: 'Samuel Reed', aliases: ['sam'] },
      ],
    });
    const reviews = [said(1, 'Sam Stone came.'), said(2, 'Samuel Reed came.')];
    const answers = new Answers(await snapshotOf(reviews, { business }));
    const { technician, reviews: shown } = JSON.parse(answers.technician('Sam Stone'));
    expect([technician.id, shown.map(({ id }: { id: string }) => id)]).toEqual([
      'sam',
      [ulidOf(1)],
    ]);
  });
});

describe('without reviews', () => {
  test('every answer has its shape', async () => {
    const answers = new Answers(await snapshotOf([]));
    expect(JSON.parse(answers.business())).toMatchObject({ review_count: 0 });
    expect(JSON.parse(answers.technician('x'))).toEqual({
      technician: null,
      reviews: [],
      names: [],
    });
    expect(JSON.parse(answers.aspect('x'))).toMatchObject({ aspect: null });
    expect(JSON.parse(answers.summary())).toMatchObject({ review_count: 0 });
    expect([answers.technicians(), answers.services()]).toEqual([[], []]);
  });
});
