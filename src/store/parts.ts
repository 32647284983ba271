// Lists of rows and ids in parts that fit into one statement.

/** Rows of a part, and of a fetch: SQLite accepts 32,766 values in a statement. */
export const ROWS = 1_000;

export function partsOf<T>(items: readonly T[], size = ROWS): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
