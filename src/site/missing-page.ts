// The page of an address where there is nothing: names that are close to what was asked for, and where to go on.

import type { MentionKind } from '../search/mentions.ts';
import { listLinks, searchField } from './parts/components.ts';
import type { Page } from './parts/layout.ts';
import { PAGE_PATHS, subjectLink } from './parts/links.ts';
import { html, type Markup } from './parts/markup.ts';
import type { Subject, View } from './view.ts';

const MAX_CLOSE = 5;
/** Characters of an address that are compared with names. */
const MAX_LENGTH = 80;

/** What was asked for, if it was the page of a subject. */
interface MissingSubject {
  readonly list: MentionKind;
  readonly id: string;
}

/** The 404 page. */
export function missingPage(view: View, asked: MissingSubject | null): Page {
  const texts = view.strings.missing;
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
      ${listLinks(view)}
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

/** The subjects that the address may mean: as a whole, or else one of its words. */
function closeSubjects(view: View, { list, id }: MissingSubject): readonly Subject[] {
  const asked = id.slice(0, MAX_LENGTH);
  const directory = view.snapshot.directory(list);
  for (const name of [asked, ...asked.split('-')]) {
    const found = directory.find(name);
    if (found.one === null && !found.isNear) continue;
    const ids = (found.one === null ? found.candidates : [found.one]).map((one) => one.id);
    const close = view.listedSubjects(list).filter((subject) => ids.includes(subject.id));
    if (close.length > 0) return close.slice(0, MAX_CLOSE);
  }
  return [];
}
