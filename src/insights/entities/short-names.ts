// The words by which reviews call a service whose label is longer: "root canal" for "Root canal treatment", "crown" for
// "Crowns and bridges", "bad" for "Badsanierung".

import { FINITE, FUNCTION_WORDS } from '../text/grammar.ts';
import { singular } from '../text/terms.ts';
import { tokenise } from '../text/tokens.ts';
import patterns from './patterns.json' with { type: 'json' };

/** Words of labels that name no service alone, in all languages: what is done, and what any business has. German ones end
 * compounds. */
const ENDS = patterns.ends.join(' ').split(' ');
const GENERIC = new Set([...patterns.generic.join(' ').split(' '), ...ENDS].map(keyOf));
const NARROWING = new Set(patterns.narrowing.flatMap((words) => words.split(' ')).map(keyOf));
const CALLED: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(patterns.called));
/** What joins the parts of a label. */
const JOINTS =
  /[,&/()+]| (?:and|und|et|y|or|oder|ou|o|in|for|of|with|on|für|mit|im|von|de|du|des|del|para|en|à) /iu;
/** "Heizungswartung" as "heizung" and "wartung". */
const COMPOUND = new RegExp(`^(.{3,}?)(?:(?<=ung)s)?(${ENDS.join('|')})$`, 'u');

/** @param others labels and aliases of the other services: what they name is theirs */
export function shortNamesOf(label: string, others: readonly string[]): string[] {
  const taken = new Set(others.map(keyOf));
  const words = new Set([...taken].flatMap((key) => key.split(' ')));
  const keys = label.split(JOINTS).flatMap((part) => {
    const all = part
      .trim()
      .split(/\s+/)
      .map(keyOf)
      .flatMap((key) => COMPOUND.exec(key)?.slice(1) ?? [key]);
    const own = all.slice(
      all.findIndex((word) => !isGeneric(word)),
      all.findLastIndex((word) => !isGeneric(word)) + 1,
    );
    // The last word of a name without work is what it names: "brunch" of "Weekend brunch", but not "park" of "Dog park".
    const isWhole = own.length === all.length && !own.some((word) => NARROWING.has(word));
    const last = isWhole ? own.at(-1) : undefined;
    return [own.join(' '), ...(last === undefined || words.has(last) ? [] : [last])];
  });
  const names = [...keys, ...[...keys, keyOf(label)].flatMap((key) => CALLED.get(key) ?? [])];
  return [...new Set(names)].filter(
    (name) =>
      !isGeneric(name) && !FUNCTION_WORDS.has(name) && !FINITE.has(name) && !taken.has(keyOf(name)),
  );
}

/** The words of a name as they are compared. */
function keyOf(name: string): string {
  return tokenise(name)
    .map(({ bare }) => singular(bare))
    .join(' ');
}

function isGeneric(key: string): boolean {
  return GENERIC.has(key) || /^(?:\d.*)?$/.test(key);
}
