// Validates HTML, and SVG inside HTML.

import { createDocument } from '@mixmark-io/domino';
import { HtmlValidate, StaticConfigLoader } from 'html-validate/node';

const validator = new HtmlValidate(
  new StaticConfigLoader({ root: true, extends: ['html-validate:standard'] }),
);

/** Attributes of SVG 1.1 that pages use, and the HTML and ARIA attributes that SVG in HTML allows. */
const SVG_ATTRIBUTES = new Set(
  `class id role aria-hidden aria-label href width height viewBox preserveAspectRatio transform x y dx dy
   x1 x2 y1 y2 cx cy r d fill fill-opacity stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
   stroke-miterlimit font-size text-anchor`.split(/\s+/),
);

/** The validation errors of a document, each with its rule and message. */
export async function htmlErrorsIn(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const messages = results.flatMap((result) => result.messages);
  return [
    ...messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    ...svgErrorsIn(html),
  ];
}

/** html-validate does not check SVG. */
function svgErrorsIn(html: string): string[] {
  const elements = [...createDocument(html).querySelectorAll('svg, svg *')];
  return elements.flatMap(({ localName, attributes }) =>
    Array.from(attributes)
      .filter(({ name }) => !SVG_ATTRIBUTES.has(name))
      .map(({ name }) => `svg: ${localName} has no attribute "${name}"`),
  );
}
