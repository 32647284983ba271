// The form of the search page. Filters without a field of their own are hidden in it, so that they stay.

import type { VNode } from 'preact';
import { fold } from '../../model/fold.ts';
import { isSearchParameter, SORTS } from '../../model/search.ts';
import { formatSource } from '../parts/format.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html } from '../parts/markup.ts';
import { partFields } from './review-parts.ts';
import type { View } from '../view.ts';

/** The unparsed parameters of a URL's query string. */
export type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export function searchForm(view: View, parameters: UrlParameters, isOpen: boolean): VNode {
  const given = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : '';
  };
  const sources = Object.entries(view.rating.by_source);
  const { strings, format, language } = view;
  const texts = strings.filters;
  const starChoices = [5, 4, 3, 2, 1].map(
    (count) => [String(count), strings.stars(count)] as const,
  );
  const sorts = SORTS.map((sort) => [sort, texts.sorts[sort]] as const);
  const choose = (name: string, label: string, choices: Choices, none = texts.any) =>
    choice(name, label, given(name), choices, none);
  const parts = partFields(view);
  const fields = new Set([...OTHER_FILTERS, ...parts.map(({ name }) => name)]);
  const isHidden = (name: string) => !fields.has(name) && !isInForm.has(name);
  const hidden = Object.keys(parameters).filter(
    (name) => isSearchParameter(name) && isHidden(name),
  );
  const set = [...fields].filter((name) => given(name) !== '').length;
  return html`<form
    class="filters"
    action=${PAGE_PATHS.reviews}
    method="get"
    role="search"
    data-filters
  >
    <p class="wide">
      <label for="words">${texts.words}</label>
      <input
        id="words"
        type="search"
        name="words"
        value=${given('words')}
        maxlength="200"
        autocomplete="off"
      />
    </p>
    <p class="act"><button type="submit">${texts.show}</button></p>
    ${hidden.map((name) =>
      given(name) === '' ? null : html`<input type="hidden" name=${name} value=${given(name)} />`,
    )}
    <details open=${isOpen}>
      <summary>${texts.more(set)}</summary>
      <div class="more">
        ${choose('rating', texts.stars, starChoices)}
        ${choose('min_rating', texts.minStars, starChoices)}
        ${choose('max_rating', texts.maxStars, starChoices)}
        ${named(view, 'mentions_technician', texts.person, given('mentions_technician'), view.queries.technicians())}
        ${named(view, 'mentions_service', texts.service, given('mentions_service'), view.queries.services())}
        ${choose(
          'source',
          texts.source,
          sources.map(([id, { review_count: count }]) => [
            id,
            `${formatSource(language, id)} (${format.number(count)})`,
          ]),
        )}
        ${parts.map(({ name, label, choices }) =>
          choices === null ? input(name, label, given(name)) : choose(name, label, choices),
        )}
        ${input('since', texts.from, given('since'), 'date')}
        ${input('until', texts.until, given('until'), 'date')}
        ${input('author', texts.author, given('author'))}
        ${choice('in', texts.searched, given('in') === 'text' ? '' : given('in'), placesOf(view), texts.places.text)}
        ${choose('sort', texts.order, sorts, texts.standardOrder)}
        ${choice('limit', texts.perPage, given('limit') === '20' ? '' : given('limit'), PAGE_SIZES, '20')}
      </div>
    </details>
  </form>`;
}

const PAGE_SIZES = ['50', '100'].map((size) => [size, size] as const);

/** The fields under "More filters". */
const OTHER_FILTERS = [
  'rating',
  'min_rating',
  'max_rating',
  'mentions_technician',
  'mentions_service',
  'source',
  'since',
  'until',
  'author',
  'in',
  'sort',
  'limit',
];
/** Other filters, which links on the page set, stay as hidden fields; a form leads to the first page. */
const isInForm = new Set(['words', 'cursor', 'facets', 'highlight']);

function placesOf({ strings }: View): Choices {
  const { places } = strings.filters;
  return [
    ['reply', places.reply],
    ['all', places.all],
  ];
}

/** Longer lists become a text field. */
const MAX_CHOICES = 200;

type Choices = readonly (readonly [value: string, label: string])[];

function input(name: string, label: string, given: string, type: 'text' | 'date' = 'text'): VNode {
  return html`<p>
    <label for=${name}>${label}</label>
    <input id=${name} type=${type} name=${name} value=${given} autocomplete="off" />
  </p>`;
}

function choice(name: string, label: string, given: string, choices: Choices, none: string): VNode {
  if (choices.length > MAX_CHOICES) return input(name, label, given);
  const known = choices.some(([value]) => value === given);
  // An unknown value stays in the form.
  const all = known || given === '' ? choices : [...choices, [given, given] as const];
  return html`<p>
    <label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      <option value="" selected=${given === ''}>${none}</option>
      ${all.map(([value, text]) => html`<option value=${value} selected=${value === given}>${text}</option>`)}
    </select>
  </p>`;
}

function named(
  { strings, language }: View,
  name: string,
  label: string,
  given: string,
  entries: readonly { readonly id: string; readonly name: string }[],
): VNode {
  const all = entries.map(({ id, name: text }) => [id, text] as const);
  const { any } = strings.filters;
  if (all.length > MAX_CHOICES) return choice(name, label, given, all, any);
  const choices = all.toSorted(([, a], [, b]) => a.localeCompare(b, language.code));
  const folded = fold(given);
  const meant = choices.find(([id, text]) => id === given || fold(text) === folded);
  return choice(name, label, meant?.[0] ?? given, choices, any);
}
