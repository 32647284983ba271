// Validates answers against an OpenAPI document, and generates requests from it.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import type { Answer, Json } from './http.ts';

/** Headers of the connection, of Node, and of the body, which the document does not describe. */
const TRANSPORT = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'content-length',
  'content-type',
]);

interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Json;
}

export class Interface {
  readonly document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.document = document;
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    // Answers must not have undescribed members, although the document allows them for later versions.
    this.#ajv.addSchema({ $id: 'interface', ...closed(document) });
  }

  /** `[method, path, operation]` of all operations. */
  operations(): [method: string, path: string, operation: Json][] {
    return Object.entries<Json>(this.document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]): [string, string, Json] => [
        method,
        path,
        operation,
      ]),
    );
  }

  parametersOf(operation: Json): ParameterObject[] {
    return operation.parameters ?? [];
  }

  resolve(part: Json): Json {
    if (part?.$ref === undefined) return part;
    const steps = String(part.$ref).slice(2).split('/');
    return steps.reduce((node: Json, step) => node[step], this.document);
  }

  /** The validation errors of a value by the schema at a JSON pointer of the document. */
  #problems(pointer: string, value: unknown): string[] {
    const known = this.#validators.get(pointer);
    const validate = known ?? this.#ajv.compile({ $ref: `interface#${pointer}` });
    this.#validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** Whether the sent text of a parameter is valid by its schema. */
  accepts(path: string, method: string, name: string, text: string): boolean {
    const operation = this.document.paths[path][method];
    const place = this.parametersOf(operation).findIndex((one) => one.name === name);
    const { schema } = this.parametersOf(operation)[place]!;
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    const value = isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    const pointer = `/paths/${escaped(path)}/${method}/parameters/${place}/schema`;
    return this.#problems(pointer, value).length === 0;
  }

  /** The differences between an answer and its description. HEAD is described by GET, and has no body. */
  judge(path: string, asked: string, answer: Answer): string[] {
    const method = asked === 'head' ? 'get' : asked;
    const operation = this.document.paths[path][method];
    const described = operation.responses[String(answer.status)];
    if (described === undefined) return [`the status ${answer.status} is not described`];
    const { headers = {}, content } = this.resolve(described);
    const home =
      described.$ref === undefined
        ? `/paths/${escaped(path)}/${method}/responses/${answer.status}`
        : String(described.$ref).slice(1);
    return [
      ...this.#judgeHeaders(home, headers, answer),
      ...this.#judgeBody(home, asked === 'head' ? undefined : content, asked, answer),
    ];
  }

  #judgeHeaders(home: string, headers: Json, answer: Answer): string[] {
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const extra = Object.keys(answer.headers)
      .filter((name) => !TRANSPORT.has(name) && !names.has(name))
      .map((name) => `the header ${name} is not described`);
    const wrong = Object.entries<Json>(headers).flatMap(([name, reference]) => {
      const { required } = this.resolve(reference);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) return required ? [`the header ${name} lacks`] : [];
      const pointer =
        reference.$ref === undefined ? `${home}/headers/${name}` : String(reference.$ref).slice(1);
      return this.#problems(`${pointer}/schema`, value).map((problem) => `${name}${problem}`);
    });
    return [...extra, ...wrong];
  }

  #judgeBody(home: string, content: Json, method: string, answer: Answer): string[] {
    if (content === undefined) {
      const isEmpty = answer.body.length === 0;
      return isEmpty ? [] : [`there is a body, which is not described for ${method}`];
    }
    const [type = ''] = (answer.headers['content-type'] ?? 'no type').split(';');
    if (content[type] === undefined) return [`the type ${type} is not described`];
    const text = decoded(answer).toString();
    const value = type.endsWith('json') ? JSON.parse(text) : text;
    return this.#problems(`${home}/content/${escaped(type)}/schema`, value);
  }
}

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

function decoded({ headers, body }: Answer): Buffer {
  const decode = DECODERS[headers['content-encoding'] ?? ''];
  return decode ? decode(body) : body;
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** A copy that forbids additional members in every object with known members. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const same = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isClosable =
    node.type === 'object' && node.properties !== undefined && !('additionalProperties' in node);
  return isClosable ? { ...same, additionalProperties: false } : same;
}

/** Texts that the schema of a parameter allows. */
export function validTexts(schema: Json): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom<string>(...schema.enum);
  const { minimum = -100, maximum = 100 } = schema;
  if (schema.type === 'integer') return fc.integer({ min: minimum, max: maximum }).map(String);
  if (schema.type === 'number') {
    const whole = fc.integer({ min: minimum, max: maximum });
    const fraction = fc.integer({ min: minimum * 100, max: maximum * 100 });
    return fc.oneof(
      whole.map(String),
      fraction.map((value) => String(value / 100)),
    );
  }
  if (schema.format === 'date') {
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  }
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  return fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 30 }));
}

/** Words that occur in reviews, so that some searches have matches. */
const words = fc.constantFrom('price', 'boiler', 'Mike', 'Zoë', 'a', 'google', 'yelp', '%', '');

/** Texts that most schemas reject. */
export const strangeTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', '0', '-1', '6', '101', '4.5', '1e1', '0x1', 'NaN', ' 3', '3 ', '٣', 'null'),
  fc.constantFrom('2025-02-30', '2025-2-3', '0000-00-00', '2025-01-01T00:00:00Z', '9999-99-99'),
  fc.integer().map(String),
  fc.double().map(String),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
);
