// Counts right and wrong answers, and renders the table of `npm run evaluate`.

export interface Row {
  readonly data: string;
  readonly measure: string;
  readonly value: number;
  /** Number of answers. */
  readonly count: number;
  readonly aim: number | null;
}

export class Share {
  #right = 0;
  #all = 0;

  add(isRight: boolean): void {
    this.#all += 1;
    if (isRight) this.#right += 1;
  }

  row(data: string, measure: string, aim: number | null = null): Row {
    return {
      data,
      measure,
      value: this.#all === 0 ? Number.NaN : this.#right / this.#all,
      count: this.#all,
      aim,
    };
  }
}

export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map(({ data, measure, value, count, aim }) => [
    data,
    measure,
    Number.isNaN(value) ? '-' : `${(value * 100).toFixed(1)}%`,
    aim === null ? '' : `${(aim * 100).toFixed(0)}%`,
    String(count),
  ]);
  const table = [['data', 'measure', 'is', 'aim', 'of'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((row) => row[column]!.length)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  '),
    )
    .join('\n');
}
