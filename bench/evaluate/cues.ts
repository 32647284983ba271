// `npm run evaluate -- cues FILE` audits the cues of a vertical on real text: how often each counts, in how
// many of the labelled texts it names an aspect that the text is labelled with, and three of its contexts.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import { findCues } from '../../src/insights/aspects/cues.ts';
import { annotateText, type AnnotatedText } from '../../src/insights/text/annotate.ts';
import { type Match, PatternSet } from '../../src/insights/text/patterns.ts';
import {
  compileVertical,
  type Cue,
  SHARED,
  VERTICAL_FILES,
  verticalSchema,
} from '../../src/insights/verticals/verticals.ts';
import { ASPECTS_OF_FABSA, parseFabsa } from './fabsa.ts';
import type { GoldItem } from './gold-item.ts';

/** Contexts that are shown of a cue. */
const CONTEXTS = 3;
/** UTF-16 units of a context on each side. */
const CONTEXT_UNITS = 50;

/** A text, and the aspects that it is labelled with; null without labels. */
interface Labelled {
  readonly text: string;
  readonly aspects: ReadonlySet<string> | null;
}

/** A cue that knows its pattern. */
interface NamedCue extends Cue {
  readonly pattern: string;
}

/** How a cue did. */
interface Audit {
  count: number;
  labelled: number;
  right: number;
  readonly contexts: string[];
}

/**
 * Renders the audit of the cues of a vertical, the most frequent first.
 *
 * @param column of a CSV file that has no labels: where its texts are
 * @throws {Error} if there is no such vertical, or a file has an unknown format
 */
export function auditCues(
  verticalId: string,
  paths: readonly string[],
  column: string | undefined,
): string {
  const file = VERTICAL_FILES.get(verticalId);
  if (file === undefined) {
    throw new Error(`expected one of ${[...VERTICAL_FILES.keys()].join(', ')}, got ${verticalId}`);
  }
  const vertical = { ...compileVertical(file, SHARED), cues: namedCues(file) };
  const audits = new Map<string, Audit>();
  for (const { text, aspects } of paths.flatMap((path) => readLabelled(path, column))) {
    const annotated = annotateText(text);
    for (const match of findCues(annotated, vertical)) {
      const { aspect, kind, pattern } = match.value as NamedCue;
      const key = `${aspect} ${kind}: ${wordsOf(annotated, match)} <- ${pattern}`;
      const audit = audits.get(key) ?? { count: 0, labelled: 0, right: 0, contexts: [] };
      audits.set(key, audit);
      audit.count += 1;
      if (aspects !== null) audit.labelled += 1;
      if (aspects?.has(aspect)) audit.right += 1;
      if (audit.contexts.length < CONTEXTS) audit.contexts.push(contextOf(annotated, match));
    }
  }
  return [...audits]
    .toSorted(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1))
    .map(([key, audit]) => `${key}\n${renderAudit(audit)}`)
    .join('\n');
}

/** The cues of a vertical, each with its pattern. */
function namedCues(file: unknown): PatternSet<NamedCue> {
  const { aspects } = verticalSchema.parse(file);
  const kinds = ['masks', 'positive', 'negative', 'neutral', 'names', 'weak', 'praise'] as const;
  return new PatternSet(
    aspects.flatMap(({ id: aspect, shares, is_of_thing: isOfThing, ...own }) =>
      [...shares.flatMap((name) => SHARED.get(name) ?? []), own].flatMap((cues) =>
        kinds.flatMap((kind) =>
          cues[kind].map((pattern) => [pattern, { aspect, kind, isOfThing, pattern }] as const),
        ),
      ),
    ),
  );
}

function readLabelled(path: string, column: string | undefined): Labelled[] {
  const data = readFileSync(path, 'utf8');
  const name = basename(path);
  if (name.endsWith('.json')) {
    return (JSON.parse(data) as GoldItem[]).map(({ text, aspects, optional_aspects }) => ({
      text,
      aspects: new Set([...aspects.map(({ id }) => id), ...optional_aspects]),
    }));
  }
  if (name.startsWith('fabsa')) {
    return parseFabsa(data).map(({ text, labels }) => ({
      text,
      aspects: new Set(labels.flatMap(({ category }) => ASPECTS_OF_FABSA[category] ?? [])),
    }));
  }
  if (column === undefined)
    throw new Error(`${path}: expected --column, as the file has no labels`);
  const rows = parse(data, { columns: true, bom: true }) as Record<string, string>[];
  return rows.map((row) => ({ text: row[column] ?? '', aspects: null }));
}

function spanOf({ keys, tokens }: AnnotatedText, { from, to }: Match<Cue>): [number, number] {
  const first = tokens[keys.tokenOf[from] as number];
  const last = tokens[keys.tokenOf[to - 1] as number];
  return [first?.start ?? 0, last?.end ?? 0];
}

function wordsOf({ keys }: AnnotatedText, { from, to }: Match<Cue>): string {
  return keys.words.slice(from, to).join(' ');
}

function contextOf(annotated: AnnotatedText, match: Match<Cue>): string {
  const [start, end] = spanOf(annotated, match);
  const { text } = annotated;
  const before = text.slice(Math.max(0, start - CONTEXT_UNITS), start);
  const shown = `${before}[${text.slice(start, end)}]${text.slice(end, end + CONTEXT_UNITS)}`;
  return shown.replaceAll(/\s+/g, ' ').trim();
}

function renderAudit({ count, labelled, right, contexts }: Audit): string {
  const share = labelled === 0 ? '' : `, right in ${Math.round((100 * right) / labelled)}%`;
  return [`  ${count} times${share}`, ...contexts.map((context) => `    ${context}`)].join('\n');
}
