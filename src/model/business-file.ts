// The file that an operator writes about a business: its JSON Schema, its short forms, and its issues in words.

import { z } from 'zod';
import { type Issue, type Parsed, show } from '../errors.ts';
import { type Business, businessSchema } from './business.ts';
import { editsBetween } from './closeness.ts';
import { fold } from './fold.ts';
import { issuesOf } from './issues.ts';

/** What each key is for; `[]` stands for every entry of a list. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  id: 'Short id of the business, such as "harbor-heating".',
  name: 'Name as customers know it.',
  legal_name: 'Registered name, if it differs.',
  description: 'What the business does, in one or two sentences.',
  vertical:
    'Kind of business, which selects the words that insights look for: home_services, restaurants, ' +
    'cafes, hospitality_and_travel, hotels, airlines, retail_and_apps, health_and_senior_living, clinics, legal_and_professional or general; or the word for a trade, such as plumber or dentist.',
  url: "The business's own web site.",
  telephone: 'Telephone number in international form, such as "+1-207-555-0142".',
  email: 'Public e-mail address; it is also the contact in security.txt.',
  address: 'Postal address.',
  'address.street': 'Street and number.',
  'address.city': 'Town or city.',
  'address.region': 'State, province or county.',
  'address.postal_code': 'Postal code.',
  'address.country': 'Country, as the two letters of ISO 3166 such as "US".',
  geo: 'Position of the business.',
  'geo.latitude': 'Degrees north of the equator.',
  'geo.longitude': 'Degrees east of Greenwich.',
  hours: 'Opening hours.',
  'hours[].days': 'Days of the week in English, such as "Monday".',
  'hours[].opens': 'Time of opening, such as "08:30".',
  'hours[].closes': 'Time of closing, such as "17:00".',
  locations: 'Branches. Reviews name theirs, and each has a page with its own score.',
  'locations[].id': 'Id in addresses of pages; without one it is derived from the name.',
  'locations[].name': 'Name as customers know it, such as "Portland".',
  'locations[].aliases': 'What sources call it, such as its number in Google Takeout.',
  attributes:
    'Attributes of reviews that pages show and filter by, in this order, with their labels; without it all.',
  ratings:
    'Part scores that pages show and filter by, in this order, with their labels; without it all.',
  time_zone:
    'Time zone of the opening hours, such as "America/New_York"; pages then say whether it is open now.',
  service_areas: 'Towns and regions that are served; insights find them in the reviews.',
  services: 'What the business sells; insights find it in the reviews.',
  'services[].id': 'Id in addresses of pages; without one it is derived from the label.',
  'services[].label': 'Name of the service, such as "Boiler repair".',
  'services[].aliases': 'Other words that customers use for it, such as "heating".',
  technicians: 'People whom reviews may name.',
  'technicians[].id': 'Id in addresses of pages; without one it is derived from the name.',
  'technicians[].name': 'Full name, such as "Mike Alvarez".',
  'technicians[].aliases': 'How customers call this person, such as "Mike".',
  'technicians[].active': 'Whether this person still works for the business.',
  same_as: 'Profiles of the business elsewhere, such as its page at a review site.',
  logo_url:
    'The logo: the path of a PNG, JPEG or SVG file of at most 1 MB, relative to this file, or an http or ' +
    'https address.',
  synonyms:
    'Words of your trade and your customers that mean the same in a search, in groups, beside those that the search ' +
    'knows, such as ["RO", "reverse osmosis", "water filter"].',
  site: 'How the pages look; all of it may be left out.',
  'site.color': 'Colour of links and buttons, such as "#1f5c4d"; wins over SITE_COLOR.',
  'site.font': 'Fonts of the device: system, serif, rounded or classic.',
  'site.color_scheme': 'auto (as the reader prefers), light or dark.',
  'site.sections':
    'Sections of the first page in their order: summary, aspects, newest, subjects, questions, years. ' +
    'What is missing is not shown.',
  'site.call_to_action': 'The first button on the first page, such as a booking link.',
  'site.call_to_action.label': 'Words on the button, such as "Book online".',
  'site.call_to_action.url': 'Where it leads: an address with https://, tel: or mailto:.',
  'site.header':
    'Picture at the top of the first page: the path of a PNG, JPEG or WebP file of at most 1 MB, relative to ' +
    'this file.',
  'site.header.url': 'Where the picture is published.',
  'site.header.width': 'Its width in pixels.',
  'site.header.height': 'Its height in pixels.',
  'site.footer_links': 'Links at the end of every page, such as imprint and privacy policy.',
  'site.footer_links[].label': 'Words of the link.',
  'site.footer_links[].url': 'Where it leads.',
};

/** The shape of an object or a list, for messages. */
const SHAPES: Readonly<Record<string, string>> = {
  '': 'an object such as { "name": "Harbor Heating" }',
  address: '{ "street": ..., "city": ..., "region": ..., "postal_code": ..., "country": ... }',
  geo: '{ "latitude": ..., "longitude": ... }',
  hours: 'a list such as [{ "days": ["Monday"], "opens": "08:00", "closes": "17:00" }]',
  'hours[]': '{ "days": [...], "opens": ..., "closes": ... }',
  locations: 'a list such as [{ "name": "Portland" }]',
  'locations[]': '{ "name": ... }',
  attributes: 'an object such as { "route": "Route" }',
  ratings: 'an object such as { "seat": "Seat comfort" }',
  service_areas: 'a list of names such as ["Bath", "Rockport"]',
  services: 'a list such as [{ "label": "Boiler repair" }]',
  'services[]': '{ "label": ... }',
  technicians: 'a list such as [{ "name": "Mike Alvarez" }]',
  'technicians[]': '{ "name": ... }',
  same_as: 'a list of addresses such as ["https://..."]',
  synonyms: 'a list of groups such as [["RO", "reverse osmosis"]]',
  'synonyms[]': 'a list of words or short phrases such as ["RO", "reverse osmosis"]',
  site: 'an object such as { "color": "#1f5c4d", "font": "serif" }',
  'site.sections': 'a list such as ["summary", "newest"]',
  'site.call_to_action': 'an object such as { "label": "Book online", "url": "https://..." }',
  'site.header': 'the path of a picture such as "header.jpg"',
  'site.footer_links': 'a list such as [{ "label": "Privacy", "url": "https://..." }]',
  'site.footer_links[]': '{ "label": ..., "url": ... }',
};

/** A branch has some members of the business, which are described once. */
function ownPath(path: string): string {
  return path.replace(/^locations\[\]\.(?=(?:address|telephone|hours|geo)\b)/, '');
}

/** Lists whose entries may leave out their id, and the key from which it is derived. */
const NAMED = { services: 'label', technicians: 'name', locations: 'name' } as const;

/**
 * Parses the content of a business file. `$schema` and comments, whose keys begin with `//`, are ignored. The paths of issues are in the form
 * `services[0].label`.
 */
export function parseBusinessFile(record: unknown): Parsed<Business> {
  const result = businessSchema.safeParse(withIds(withoutComments(record)), { error: messageOf });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, issues: issuesOf(result.error).flatMap(splitKeys) };
}

/** A path such as `services[0].label`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`))
    .join('');
}

function withoutComments(record: unknown): unknown {
  if (!isObject(record)) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key !== '$schema' && !key.startsWith('//')),
  );
}

/** A business file to be filled in: every key with a comment above it. */
export function businessTemplate(): Record<string, unknown> {
  const { data } = businessSchema.safeParse({ name: 'A' });
  const values: Record<string, unknown> = {
    ...data,
    name: '',
    id: 'business',
    locations: [],
    time_zone: null,
    synonyms: [],
    site: null,
  };
  const entries = Object.entries(values).flatMap(([key, value]) => {
    const shape = SHAPES[key];
    const comment = [DESCRIPTIONS[key], shape === undefined ? [] : `In the form ${shape}.`].flat();
    return [
      [`// ${key}`, comment.join(' ')],
      [key, value],
    ];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function withIds(record: unknown): unknown {
  if (!isObject(record)) return record;
  const lists = Object.entries(NAMED).flatMap(([list, key]) => {
    const entries = record[list];
    if (!Array.isArray(entries)) return [];
    return [[list, entries.map((entry: unknown) => withId(entry, key))] as const];
  });
  return { ...record, ...Object.fromEntries(lists) };
}

function withId(entry: unknown, key: string): unknown {
  if (!isObject(entry) || entry['id'] !== undefined) return entry;
  const name = entry[key];
  // A bad name is an issue already; a missing id would be another.
  const id =
    typeof name === 'string'
      ? fold(name)
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '')
      : 'unnamed';
  return id === '' ? entry : { id, ...entry };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message of an issue for which the schema has none of its own. */
function messageOf({ code, path = [], input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code === 'unrecognized_keys') return undefined;
  const shape = SHAPES[ownPath(formatPath(path.map(String)).replaceAll(/\.\d+/g, '[]'))];
  const got = describeValue(input);
  if (code === 'too_small') return `expected at least one entry, got ${got}`;
  if (code !== 'invalid_type') return undefined;
  const byType: Readonly<Record<string, string>> = {
    array: 'a list of texts such as ["..."]',
    boolean: 'true or false',
    object: 'an object',
  };
  const expected = (issue as { expected?: string }).expected ?? '';
  return `expected ${shape ?? byType[expected] ?? expected}, got ${got}`;
}

/** A value in words, for readers who do not know the types of JSON. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the text ${show(value)}`;
  if (typeof value === 'number') return `the number ${show(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `the list ${show(value)}`;
  if (isObject(value)) return `the object ${show(value)}`;
  return show(value);
}

/** One issue for each unknown key, with the key that was probably meant. */
function splitKeys(issue: Issue & { readonly keys?: readonly string[] }): Issue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const keys = [...issue.message.matchAll(/"([^"]*)"/g)].map(([, key]) => key as string);
  const place = ownPath(formatPath(issue.path).replaceAll(/\[\d+\]/g, '[]'));
  const prefix = place === '' ? '' : `${place}.`;
  const known = Object.keys(DESCRIPTIONS)
    .filter((name) => name.startsWith(prefix) && !/[.[]/.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length));
  return keys.map((key) => {
    const edits = key.length < 5 ? 1 : 2;
    const close = known.find((name) => editsBetween(name, key, edits) <= edits);
    const hint = close === undefined ? `one of ${known.join(', ')}` : show(close);
    return {
      code: issue.code,
      path: issue.path,
      message: `expected ${hint}, got the unknown key ${show(key)}`,
    };
  });
}

/** The JSON Schema of a business file, from which editors complete keys. */
export function businessFileSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(businessSchema, { io: 'input' });
  const { properties, ...rest } = describe(schema as JsonSchema, '');
  return {
    $schema,
    title: 'The business whose reviews are published',
    ...rest,
    patternProperties: { '^//': { type: 'string', description: 'A comment.' } },
    properties: {
      $schema: { type: 'string', description: 'Where this schema is, for editors.' },
      ...properties,
    },
  };
}

interface JsonSchema extends Record<string, unknown> {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** Adds the descriptions to a schema and everything in it. */
function describe(schema: JsonSchema, path: string): JsonSchema {
  const description = DESCRIPTIONS[ownPath(path)];
  const described = {
    ...(description === undefined ? {} : { description }),
    ...describeParts(schema, path),
  };
  const list = path.replace('[]', '');
  if (schema.required && list in NAMED) {
    described.required = schema.required.filter((key) => key !== 'id');
  }
  return described;
}

function describeParts(schema: JsonSchema, path: string): JsonSchema {
  const described = { ...schema };
  // The path of a file is no address.
  if (path === 'logo_url') delete described['format'];
  if (schema.anyOf) described.anyOf = schema.anyOf.map((one) => describeParts(one, path));
  // A path is replaced by what is published.
  if (path === 'site.header' && described.anyOf) described.anyOf.unshift({ type: 'string' });
  if (schema.items) described.items = describe(schema.items, `${path}[]`);
  if (schema.properties) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [
        key,
        describe(value, path === '' ? key : `${path}.${key}`),
      ]),
    );
  }
  return described;
}
