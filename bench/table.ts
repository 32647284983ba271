// Tables as the terminal and the documentation show them.

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly notes: readonly string[];
}

/** Renders Markdown whose columns stand under one another: words to the left, numbers to the right. */
export function renderTable({ title, columns, rows, notes }: Table): string {
  const isNumeric = columns.map((_, place) => rows.every((row) => /^[\d<]/.test(row[place] ?? '')));
  const widths = columns.map((column, place) =>
    Math.max(3, column.length, ...rows.map((row) => (row[place] ?? '').length)),
  );
  const line = (cells: readonly string[]) => {
    const padded = widths.map((width, place) => {
      const cell = cells[place] ?? '';
      return isNumeric[place] ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, place) =>
    isNumeric[place] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [`### ${title}`, '', ...[columns, rule, ...rows].map(line), '', ...notes, ''].join('\n');
}

/** A count as people read it: 12,345. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
