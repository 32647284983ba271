// Escaping for XML and SVG.

/** Characters that XML 1.0 cannot represent, not even as character references (section 2.2). */
// oxlint-disable-next-line no-control-regex -- matches the characters to replace
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Replaces characters that XML cannot represent with U+FFFD, so that the text never becomes empty. */
export function toXmlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(NOT_XML, '\ufffd');
}

/** Escapes text for element content and for attributes in single or double quotes. */
export function escapeXml(text: string): string {
  return toXmlCharacters(text).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}
