// Aims, and whether they were reached, as a table.

import type { Table } from './table.ts';

export interface Aim {
  readonly work: string;
  readonly aim: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** An aim for a figure: a minimum or an upper bound, shown with its unit. */
export function aimAt(
  work: string,
  measured: number,
  { atLeast, under }: { readonly atLeast?: number; readonly under?: number },
  unit = '',
): Aim {
  const show = (value: number) =>
    `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })}${unit}`;
  return {
    work,
    aim: atLeast === undefined ? `under ${show(under ?? 0)}` : `at least ${show(atLeast)}`,
    measured: show(measured),
    isReached: atLeast === undefined ? measured < (under ?? 0) : measured >= atLeast,
  };
}

export function tablesOfAims(aims: readonly Aim[]): Table[] {
  if (aims.length === 0) return [];
  const rows = aims.map(({ work, aim, measured, isReached }) => [
    work,
    aim,
    measured,
    isReached ? 'yes' : 'no',
  ]);
  return [{ title: 'Aims', columns: ['work', 'aim', 'measured', 'reached'], rows, notes: [] }];
}
