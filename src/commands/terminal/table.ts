// A text table for the terminal.

import { withoutControls } from '../../errors.ts';

/**
 * The keys of the rows are the headings. Columns are as wide as their widest cell; two spaces separate them. Control
 * characters are escaped.
 */
export function renderTable(rows: readonly Readonly<Record<string, string>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => Object.values(row).map(withoutControls));
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
