// Escaping for all XML and SVG that the program writes.

/** Characters that XML 1.0 cannot represent, not even as references (section 2.2). */
// oxlint-disable-next-line no-control-regex -- these are the ones to replace
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Replaces what XML cannot represent with U+FFFD, so that a text of nothing else is not empty. */
export function toXmlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(NOT_XML, '\ufffd');
}

/** Escapes a text for an element or for an attribute in quotes of either kind. */
export function escapeXml(text: string): string {
  return toXmlCharacters(text).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}
