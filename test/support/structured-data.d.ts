// Types of untyped packages, as far as the tests use them.

declare module '@adobe/structured-data-validator' {
  export default class Validator {
    constructor(vocabulary: object);
    validate(extracted: object): Promise<object[]>;
  }
}

declare module '@marbec/web-auto-extractor' {
  export default class WebAutoExtractor {
    constructor(options: object);
    parse(html: string): { readonly errors?: readonly object[] };
  }
}

declare module 'd3-dsv' {
  export function dsvFormat(delimiter: string): {
    formatRows(rows: readonly (readonly string[])[]): string;
  };
}
