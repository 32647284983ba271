// The page of an address where there is nothing: names that are close to what was asked for, and where to go on.

import { editsBetween } from '../model/closeness.ts';
import { fold } from '../model/fold.ts';
import type { MentionKind } from '../search/mentions.ts';
import { searchField } from './parts/components.ts';
import type { Page } from './parts/layout.ts';
import { PAGE_PATHS, SUBJECT_PATHS, subjectLink } from './parts/links.ts';
import { html, type Markup } from './parts/markup.ts';
import type { Subject, View } from './view.ts';

const MAX_CLOSE = 5;
/** Edits between a word of the address and a word of a name. */
const MAX_EDITS = 2;
/** Shorter words must be equal. */
const MIN_EDITED_LENGTH = 4;

/** What was asked for, if it was the page of a subject. */
interface MissingSubject {
  readonly list: MentionKind;
  readonly id: string;
}

/** The 404 page. */
export function missingPage(view: View, asked: MissingSubject | null): Page {
  const texts = view.strings.missing;
  const { lists } = view.strings;
  return {
    status: 404,
    title: texts.title,
    description: texts.description,
    canonical: null,
    main: html`<div>
      <h1>${texts.title}</h1>
      <p>${texts.text}</p>
      ${asked === null ? null : didYouMean(view, asked)} ${view.isStatic ? null : searchField(view)}
      <p class="links">
        <a class="button" href=${PAGE_PATHS.home}>${texts.home}</a>
        <a class="button quiet" href=${PAGE_PATHS.reviews}>${texts.reviews}</a>
      </p>
      <ul class="chips">
        ${Object.entries(SUBJECT_PATHS).flatMap(([list, path]) =>
          view.listedSubjects(list as MentionKind).length === 0
            ? []
            : [
                html`<li>
                  <a class="chip" href=${path}>${lists.titles[list as MentionKind]}</a>
                </li>`,
              ],
        )}
      </ul>
    </div>`,
  };
}

function didYouMean(view: View, asked: MissingSubject): Markup {
  const close = closeSubjects(view, asked);
  if (close.length === 0) return null;
  return html`<p>${view.strings.missing.didYouMean}</p>
    <ul class="choices">
      ${close.map(
        ({ list, id, name }) =>
          html`<li>
            <a class="choice" href=${subjectLink(list, id)}><bdi>${name}</bdi></a>
          </li>`,
      )}
    </ul>`;
}

/** The subjects of the list that share a word with the address, but for typing errors. */
function closeSubjects(view: View, { list, id }: MissingSubject): readonly Subject[] {
  const asked = wordsOf(id);
  const scoreOf = (subject: Subject) => {
    const words = [...wordsOf(subject.id), ...wordsOf(subject.name)];
    return asked.filter((word) => words.some((other) => isClose(word, other))).length;
  };
  return view
    .listedSubjects(list)
    .map((subject) => ({ subject, score: scoreOf(subject) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CLOSE)
    .map(({ subject }) => subject);
}

const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 40;

function wordsOf(text: string): readonly string[] {
  const words = fold(text.slice(0, MAX_WORDS * MAX_WORD_LENGTH)).split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '' && word.length <= MAX_WORD_LENGTH).slice(0, MAX_WORDS);
}

function isClose(word: string, other: string): boolean {
  if (word === other) return true;
  if (Math.min(word.length, other.length) < MIN_EDITED_LENGTH) return false;
  return other.startsWith(word) || editsBetween(word, other, MAX_EDITS) <= MAX_EDITS;
}
