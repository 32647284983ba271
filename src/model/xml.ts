// Escaping for XML, SVG and HTML.

/** Characters that XML 1.0 cannot represent, not even as character references (section 2.2). */
// oxlint-disable-next-line no-control-regex -- matches the characters to replace
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Replaces characters that XML cannot represent with U+FFFD, so that the text never becomes empty. */
export function toXmlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(NOT_XML, '\ufffd');
}

/** Escapes text for the content of elements, of HTML too. */
export function escapeContent(text: string): string {
  return toXmlCharacters(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Escapes text for the content of elements and for attributes in single or double quotes. */
export function escapeXml(text: string): string {
  return escapeContent(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;');
}
