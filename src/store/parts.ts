// Lists of rows and ids in parts that fit into one statement.

/** Rows of a part, and of a fetch: SQLite accepts 32,766 values in a statement. */
export const ROWS = 1_000;

/** Runs a statement for each part of different ids, one after another; returns what all of them returned. */
export async function forParts<Id, Row>(
  ids: readonly Id[],
  run: (part: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of partsOf([...new Set(ids)])) rows.push(...(await run(part)));
  return rows;
}

export function partsOf<T>(items: readonly T[], size = ROWS): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
