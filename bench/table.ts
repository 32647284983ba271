// Markdown tables for the terminal and the documentation.

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Notes below the table. */
  readonly notes: readonly string[];
}

/** Renders aligned Markdown: words to the left, numbers to the right. */
export function renderTable({ title, columns, rows, notes }: Table): string {
  const isNumeric = columns.map((_, index) => rows.every((row) => /^[\d<]/.test(row[index] ?? '')));
  const widths = columns.map((column, index) =>
    Math.max(3, column.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]) => {
    const padded = widths.map((width, index) => {
      const cell = cells[index] ?? '';
      return isNumeric[index] ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, index) =>
    isNumeric[index] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [`### ${title}`, '', ...[columns, rule, ...rows].map(line), '', ...notes, ''].join('\n');
}

/** A count with separators: 12,345. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
