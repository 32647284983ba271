// The form of the search page: the words, and the fields of the filter panel, which belong to it from outside. Filters
// that are chosen by links are hidden in it, so that they stay.

import type { VNode } from 'preact';
import { isSearchParameter } from '../../model/search.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html } from '../parts/markup.ts';
import { partFields } from './review-parts.ts';
import type { View } from '../view.ts';

/** The unparsed parameters of a URL's query string. */
export type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const FORM = 'search-form';

export function searchForm(view: View, parameters: UrlParameters): VNode {
  const { strings } = view;
  const hasField = new Set([...HAS_FIELD, ...partFields(view).map(({ name }) => name)]);
  const isHidden = (name: string) => isSearchParameter(name) && !hasField.has(name);
  return html`<form
    class="find"
    id=${FORM}
    action=${PAGE_PATHS.reviews}
    method="get"
    role="search"
    data-filters
  >
    <label for="words">${strings.searchReviews}</label>
    <input
      id="words"
      type="search"
      name="words"
      value=${givenIn(parameters, 'words')}
      maxlength="200"
      autocomplete="off"
    />
    <button type="submit">${strings.search}</button>
    ${Object.entries(parameters)
      .filter(([name]) => isHidden(name))
      .flatMap(([name, values]) =>
        [values ?? []]
          .flat()
          .map((value) => html`<input type="hidden" name=${name} value=${value} />`),
      )}
  </form>`;
}

/** The fields of the panel. */
const FIELDS = ['min_rating', 'max_rating', 'since', 'until', 'author', 'in'];
/** A form leads to the first page. */
const HAS_FIELD = new Set([...FIELDS, 'words', 'cursor', 'facets', 'highlight']);

/** What no link offers. */
export function searchFields(view: View, parameters: UrlParameters): VNode {
  const { strings } = view;
  const texts = strings.filters;
  const given = (name: string) => givenIn(parameters, name);
  const starChoices = [5, 4, 3, 2, 1].map(
    (count) => [String(count), strings.stars(count)] as const,
  );
  const places = (['reply', 'all'] as const).map((name) => [name, texts.places[name]] as const);
  return html`<div class="more">
    ${choice('min_rating', texts.minStars, given('min_rating'), starChoices, texts.any)}
    ${choice('max_rating', texts.maxStars, given('max_rating'), starChoices, texts.any)}
    ${partFields(view).map(({ name, label, choices }) =>
      choices === null
        ? input(name, label, given(name))
        : choice(name, label, given(name), choices, texts.any),
    )}
    ${input('since', texts.from, given('since'), 'date')}
    ${input('until', texts.until, given('until'), 'date')}
    ${input('author', texts.author, given('author'))}
    ${choice('in', texts.searched, given('in') === 'text' ? '' : given('in'), places, texts.places.text)}
    <p><button type="submit" form=${FORM}>${texts.show}</button></p>
  </div>`;
}

type Choices = readonly (readonly [value: string, label: string])[];

function givenIn(parameters: UrlParameters, name: string): string {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
}

function input(name: string, label: string, given: string, type: 'text' | 'date' = 'text'): VNode {
  return html`<p>
    <label for=${name}>${label}</label>
    <input id=${name} form=${FORM} type=${type} name=${name} value=${given} autocomplete="off" />
  </p>`;
}

function choice(name: string, label: string, given: string, choices: Choices, none: string): VNode {
  const known = choices.some(([value]) => value === given);
  // An unknown value stays in the form.
  const all = known || given === '' ? choices : [...choices, [given, given] as const];
  return html`<p>
    <label for=${name}>${label}</label>
    <select id=${name} form=${FORM} name=${name}>
      <option value="" selected=${given === ''}>${none}</option>
      ${all.map(([value, text]) => html`<option value=${value} selected=${value === given}>${text}</option>`)}
    </select>
  </p>`;
}
