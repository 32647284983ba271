// Complaints by name and the aspects that they are about, and what is complained of without a name.

import type { Insights } from '../../model/insights.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Subject, View } from '../view.ts';

/** As many of the newest reviews with a complaint are looked at. */
const MOST_READ = 20;
/** By complaint the id of its aspect, read once for a snapshot: entries of a large one are unpacked. */
const READ = new WeakMap<Snapshot, Map<string, string | null>>();
/** The fewest complaints about an aspect that is listed as one, and their least share of the opinions. */
const FEWEST = 3;
const SHARE = 1 / 3;

/** The aspect that most reviews with a complaint criticise in the same words; null if there is none. */
export function aspectOf(view: View, problem: string): Insights['aspects'][number] | null {
  const read = READ.get(view.snapshot) ?? new Map<string, string | null>();
  READ.set(view.snapshot, read);
  const id = read.has(problem) ? read.get(problem) : readAspect(view.snapshot, problem);
  read.set(problem, id ?? null);
  return id ? view.subject('aspects', id) : null;
}

function readAspect(snapshot: Snapshot, problem: string): string | null {
  const positions = snapshot.mentioning('problems', problem).subarray(0, MOST_READ);
  const criticized = Array.from(positions).flatMap((position) => {
    const entry = snapshot.insights.entry(position);
    const phrase = entry?.problems.find(({ id }) => id === problem)?.phrase;
    return (entry?.aspects ?? [])
      .filter((one) => one.sentiment === 'negative' && one.phrase === phrase)
      .map(({ id }) => id);
  });
  const [most] = [...Map.groupBy(criticized, (id) => id)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return most && most[1].length * 2 >= positions.length ? most[0] : null;
}

/** The complaints by name that are about an aspect. */
export function complaintsAbout(view: View, aspect: string): readonly Subject[] {
  return view.listedSubjects('problems').filter(({ id }) => aspectOf(view, id)?.id === aspect);
}

/** What customers complain of, most often first: complaints by name, and aspects that no such complaint is about. */
export function complaintsOf(view: View): readonly Subject[] {
  const named = view.listedSubjects('problems');
  const told = new Set(named.map(({ id }) => aspectOf(view, id)?.id));
  const others = view.insights('aspects').filter(
    ({ id, positive_count: praise, negative_count: blame }) =>
      blame >= FEWEST &&
      blame >= SHARE * (praise + blame) &&
      !told.has(id) &&
      // "Safety concerns" are about safety.
      !named.some((one) => one.id.startsWith(id)),
  );
  return [
    ...named,
    ...others.map((aspect) => ({
      list: 'aspects' as const,
      id: aspect.id,
      name: view.nameOf('aspects', aspect),
      mentionCount: aspect.negative_count,
    })),
  ].toSorted((a, b) => b.mentionCount - a.mentionCount);
}
