// The characters of published texts. Applied to imports, and again to stored rows when they are loaded,
// because earlier versions stored other characters too.

/**
 * C0 controls except tab and line feed, DEL, C1 controls, noncharacters and lone surrogates. JSON, HTML
 * and XML treat them differently, databases reject some, and all are invisible.
 */
const UNPUBLISHABLE =
  // oxlint-disable-next-line no-control-regex -- matches the characters to remove
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}|\p{Surrogate}/gu;

/** Removes unpublishable characters and surrounding white space; normalizes line ends to line feeds. */
export function plainText(raw: string): string {
  return raw.replaceAll(/\r\n?/g, '\n').replaceAll(UNPUBLISHABLE, '').trim();
}

/** Like `plainText`, but returns U+FFFD if nothing is left of a text that is not empty. */
export function requiredPlainText(raw: string): string {
  return plainText(raw) || (raw && '\ufffd');
}
