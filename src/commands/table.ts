// A text table for the terminal.

/** Columns are as wide as their widest cell; two spaces separate them. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] as string).length)),
  );
  const lines = [columns, ...rows].map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
