// HTML of strangers, in members of exports.

import { describe, expect, test } from 'vitest';
import { htmlToText, MAX_HTML_DEPTH } from '../../src/intake/text/html-text.ts';
import { openPlatform, readPlatform } from '../../src/intake/formats/rows.ts';
import { csvReader, jsonReader } from '../support/formats.ts';
import { growth, LINEAR } from '../support/growth.ts';

const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;
const REFUSAL = `expected HTML whose elements are nested at most ${MAX_HTML_DEPTH} deep`;

describe('HTML that is nested too deep', () => {
  test('has no text, and has one up to the limit', () => {
    expect(htmlToText(nested(MAX_HTML_DEPTH))).toBe('x');
    expect(htmlToText('<div>'.repeat(10_000))).toBe(null);
  });

  test('takes time that grows with the size, not its square', () => {
    for (const tag of ['<div>', '<b><i>', '<svg>', '<table><tr>']) {
      expect(growth(5_000, (depth) => tag.repeat(depth), htmlToText)).toBeLessThan(LINEAR);
    }
  });

  test('any number of elements after one another is not', () => {
    const html = '<p>a<br>b</p><img><hr></i></br></p>'.repeat(10_000);
    expect(htmlToText(html)?.match(/a\nb/g)).toHaveLength(10_000);
  });

  test('is refused by the readers with the name of the member', () => {
    const deep = nested(10_000);
    const item = { reviewer: 'A', review: deep, rating: 5, date_created_gmt: '2024-01-02' };
    expect(readPlatform(jsonReader('woocommerce'), item)).toEqual({
      refusal: `review: ${REFUSAL}`,
    });
    const header = ['comment_author', 'comment_date', 'comment_content', 'rating'];
    const read = openPlatform(csvReader('woocommerce-csv'))('file', header);
    expect(read(['A', '2024-01-02', deep, '5'])).toEqual({
      refusal: `comment_content: ${REFUSAL}`,
    });
  });
});
