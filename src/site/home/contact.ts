// How to reach the business: telephone, website, hours, address, the places that it serves, and its score at each source.

import { addressOf, type Business, weekdayOf } from '../../model/business.ts';
import { formatShortList, formatSource } from '../parts/format.ts';
import { safeLink, searchLink, SUBJECT_PATHS, telephoneLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** Places that are named; the list of places has the others. */
const MAX_PLACES = 24;
const MAX_SOURCES = 6;

type Place = Pick<Business, 'hours' | 'address' | 'telephone'> &
  Partial<Pick<Business, 'url' | 'service_areas' | 'site'>>;

/** Null if the business has none of these. */
export function contact(view: View): Markup {
  return contactOf(view, view.business, sources(view));
}

/** How to reach the business, or one of its branches. */
export function contactOf(view: View, place: Place, from: Markup = null): Markup {
  const { strings } = view;
  const { contact: texts } = strings;
  const website = safeLink(place.url ?? null);
  const areas = place.service_areas ?? [];
  const rows = [
    row(texts.hours, hoursOf(view, place)),
    row(
      texts.address,
      addressOf(place, (code) => view.format.country(code)),
    ),
    row(
      texts.serves,
      placesOf(view, areas.length === 1 && areas[0] === place.address?.city ? [] : areas),
    ),
    row(strings.sources, from),
  ].filter((each) => each !== null);
  const { telephone } = place;
  const call = telephoneLink(telephone);
  const action = place.site?.call_to_action ?? null;
  const buttons = [
    action && html`<a class="button" href=${action.url}>${action.label}</a>`,
    telephone &&
      (call === null
        ? html`<span>${telephone}</span>`
        : html`<a class=${action === null ? 'button' : 'button quiet'} href=${call}
            >${texts.call(telephone)}</a
          >`),
    website && html`<a class="button quiet" href=${website}>${texts.website}</a>`,
  ].filter((each) => each !== null);
  if (buttons.length + rows.length === 0) return null;
  return html`<div class="contact">
    ${place === view.business ? openSign(view) : null}
    ${buttons.length === 0 ? null : html`<p class="links">${buttons}</p>`}
    ${
      rows.length === 0
        ? null
        : rows.length === 1
          ? html`<dl>${rows[0]?.content}</dl>`
          : html`<details class="narrow-fold">
              <summary>${rows.map(({ name }) => name).join(' · ')}</summary>
              <dl>${rows.map(({ content }) => content)}</dl>
            </details>`
    }
  </div>`;
}

/** A script writes here whether it is open, by the hours below and the time at the place: pages are cached. */
function openSign({ business, strings: { contact: texts } }: View): Markup {
  const { hours, time_zone: zone } = business;
  const isKnown = hours.every(({ days }) => days.every((day) => weekdayOf(day) !== null));
  if (!zone || hours.length === 0 || !isKnown) return null;
  return html`<p class="open-now" data-zone=${zone} data-next=${texts.opensAt}></p>`;
}

function hoursOf(view: View, { hours }: Place): Markup {
  const { contact: texts } = view.strings;
  if (hours.length === 0) return null;
  return html`<ul class="plain hours">
    ${hours.map(
      ({ days, opens, closes }) =>
        html`<li
          data-days=${days.map(weekdayOf).join('')}
          data-opens=${opens}
          data-closes=${closes}
          data-time=${view.format.time(opens)}
          data-open=${texts.openUntil(closes)}
        >
          ${texts.open(daysOf(view, days), opens, closes)}
        </li>`,
    )}
  </ul>`;
}

function row(name: string, told: Markup | string) {
  if (told === null || told === '') return null;
  const content = html`<div>
    <dt>${name}</dt>
    <dd dir="auto">${told}</dd>
  </div>`;
  return { name, content };
}

/** "Monday to Friday" of days that follow each other, else all of them. */
function daysOf({ strings, format }: View, days: readonly string[]): string {
  const indexes = days.map(weekdayOf);
  const names = days.map((day, at) => {
    const index = indexes[at] ?? null;
    return index === null ? day : format.weekday(index);
  });
  const [first = '', last = first] = [names[0], names.at(-1)];
  const start = indexes[0] ?? null;
  const isRun = days.length > 2 && start !== null && indexes.every((day, at) => day === start + at);
  return isRun ? strings.contact.dayRange(first, last) : format.list(names);
}

function placesOf(view: View, places: readonly string[]): Markup | string {
  if (places.length === 0) return '';
  const shown = formatShortList(view.language, places, MAX_PLACES);
  if (view.subjects('service_areas').length === 0) return shown;
  return html`${shown}
    <a href=${SUBJECT_PATHS.service_areas}>${view.strings.contact.customersThere}</a>`;
}

/** The mean at each source with its number of reviews, and a link to the business there. */
function sources(view: View): Markup {
  const { rating, format, strings, language, isStatic } = view;
  const shown = Object.entries(rating.by_source)
    .toSorted(([, a], [, b]) => b.review_count - a.review_count)
    .slice(0, MAX_SOURCES);
  if (shown.length === 0) return null;
  return html`<ul class="plain sources">
    ${shown.map(([source, { rating_value: mean, review_count: count }]) => {
      const name = formatSource(language, source);
      const there = profileAt(view, source);
      const reviews = strings.reviews(count);
      return html`<li>
        <span
          >${
            there === null
              ? html`<bdi>${name}</bdi>`
              : html`<a href=${there} rel="noopener"><bdi>${name}</bdi></a>`
          }</span
        >
        <span>${mean === null ? null : html`<strong>${format.mean(mean)}</strong>`}</span>
        <span class="aside">
          ${isStatic ? reviews : html`<a href=${searchLink({ source })}>${reviews}</a>`}
        </span>
      </li>`;
    })}
  </ul>`;
}

/** The profile of the business at a source: an address of `same_as` whose host has the name of the source. */
function profileAt({ business }: View, source: string): string | null {
  const name = source.replaceAll(/[^a-z0-9]/g, '');
  if (name.length < 3) return null;
  const found = business.same_as.find((url) => URL.parse(url)?.hostname.split('.').includes(name));
  return safeLink(found ?? null);
}
