// What we use of a package whose own types name another module.

declare module '@mixmark-io/domino' {
  /** A document without a browser. */
  export function createDocument(html?: string): Document;
}
