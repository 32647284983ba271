// A text table for the terminal.

import { withoutControls } from '../../errors.ts';

/** Columns are as wide as their widest cell; two spaces separate them. Control characters are escaped. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const cells = rows.map((row) => row.map(withoutControls));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => (row[index] as string).length)),
  );
  const lines = [columns, ...cells].map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
