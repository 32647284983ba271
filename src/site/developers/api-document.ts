// The types of what the reference page shows of an OpenAPI 3.1 document.

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
  readonly example?: string;
}

export type Content = Readonly<Record<string, { readonly schema: object }>>;

/** An answer without its headers. */
export interface Answer {
  readonly description: string;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, object>>;
}

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDocument {
  readonly info: object;
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<string, Operation>>>>>;
  readonly components: Readonly<Record<string, Json>>;
}
