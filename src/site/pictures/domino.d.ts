// Types of the part of domino that we use: its own types declare a different module name.

declare module '@mixmark-io/domino' {
  /** Creates a DOM document, parsed from `html` if given. */
  export function createDocument(html?: string): Document;
}
