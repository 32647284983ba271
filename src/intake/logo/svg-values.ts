// CSS of SVG logos, in attributes and style sheets: only what loads nothing and refers to nothing outside.

import { FUNCTIONS } from './svg-names.ts';

const COMMENT = /\/\*[^]*?(?:\*\/|$)/g;
/** Rules that load something or do nothing for a picture, with their block. */
const REMOVED_RULE =
  /@(?:import|charset|namespace|font-face|keyframes|page)\b[^;{]*(?:;|\{[^}]*\}|$)/gi;
const FUNCTION = /([\w-]*)\(/g;
/** A reference to an element of the same file. */
const LOCAL_URL = /\burl\(\s*(["']?)#([\w.:-]+)\1\s*\)/gi;

/**
 * Whether a text may stand in an attribute, wherever CSS or SVG reads it. Nothing is parsed: what is allowed is
 * harmless in any context.
 */
export function isSafeValue(value: string): boolean {
  if (/[\\@]|\/\*/.test(value)) return false;
  return hasSafeFunctions(value);
}

/** A style sheet without comments and rules that load something; null if it has more that is not safe. */
export function cleanStyleSheet(text: string): string | null {
  const rest = text.replace(COMMENT, '').replace(REMOVED_RULE, '').trim();
  if (/[\\<]|@(?!media\b)/i.test(rest)) return null;
  return hasSafeFunctions(rest) ? rest : null;
}

/** The ids of the elements that a value refers to with `url(#id)`. */
export function localUrls(value: string): string[] {
  return [...value.matchAll(LOCAL_URL)].map(([, , id]) => id as string);
}

function hasSafeFunctions(text: string): boolean {
  const rest = text.replace(LOCAL_URL, '');
  return [...rest.matchAll(FUNCTION)].every(([, name]) => {
    return name === '' || FUNCTIONS.has((name as string).toLowerCase());
  });
}
