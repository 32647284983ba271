// Several stores in one database: `?schema=NAME` of a URL names the schema of one.

const PARAMETER = 'schema';
/** Of what has a name in PostgreSQL, in bytes. */
export const LONGEST_NAME = 63;

export function schemaOf(url: string): string | null {
  return new URL(url).searchParams.get(PARAMETER);
}

export function withSchema(url: string, schema: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set(PARAMETER, schema.slice(0, LONGEST_NAME));
  return parsed.href;
}

export function withoutSchema(url: string): string {
  if (schemaOf(url) === null) return url;
  const parsed = new URL(url);
  parsed.searchParams.delete(PARAMETER);
  return parsed.href;
}
