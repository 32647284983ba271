// Which characters a published text may have. The rule is applied to what is imported, and again to
// stored rows when they are read, because earlier versions stored more.

/**
 * C0 controls except tab and line feed, DEL, C1 controls, noncharacters and lone surrogates. JSON, HTML
 * and XML disagree about them, databases refuse some, and no reader can see any.
 */
const UNPUBLISHABLE =
  // oxlint-disable-next-line no-control-regex -- these are the ones to remove
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}|\p{Surrogate}/gu;

/** The text with line feeds for line ends, no surrounding white space, and publishable characters only. */
export function plainText(raw: string): string {
  return raw.replaceAll(/\r\n?/g, '\n').replaceAll(UNPUBLISHABLE, '').trim();
}

/** As `plainText`, but U+FFFD where the rule leaves nothing of a text. */
export function requiredPlainText(raw: string): string {
  return plainText(raw) || (raw && '\ufffd');
}
