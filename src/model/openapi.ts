// The parts of an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html) that ours uses.

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: JsonSchema | Reference;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface Header {
  readonly description: string;
  /** Whether every answer that lists the header has it. */
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | Header>>;
  readonly content?: Content;
}

/** By status. */
export type Answers = Readonly<Record<string, Answer | Reference>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required: boolean;
    readonly content: Content;
  };
  readonly responses: Answers;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, PathItem>>>>;
}

/** An operation without what the table of routes says of it. */
export type OperationDetails = Omit<Operation, 'operationId' | 'summary' | 'tags'>;

type Method = 'get' | 'post' | 'delete';
export type PathItem = Readonly<Partial<Record<Method, Operation>>>;
export type Paths = Readonly<Record<string, PathItem>>;

/** Input of the document. */
export interface Described {
  /** Public base URL, without a trailing slash. */
  readonly origin: string;
  readonly business: {
    readonly name: string;
    readonly url: string | null;
    readonly email: string | null;
  };
  /** The review in the examples; null if there are no reviews. */
  readonly example: { readonly id: string; readonly date: string } | null;
  readonly metrics: boolean;
  /** Names that reviews have. */
  readonly parts: { readonly attributes: readonly string[]; readonly ratings: readonly string[] };
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly description: string; readonly [member: string]: unknown };
  readonly servers: readonly object[];
  readonly security: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
