// What pages show of a person: a score only if insights have one.

interface Figures {
  readonly score?: number | null;
  readonly active?: boolean | null;
}

/** Whether figures may be shown: of people only with a score, of everything else always. */
export function isScored(insight: object): boolean {
  const { score, active } = insight as Figures;
  return active === undefined || score !== null;
}

export function isFormer(insight: object): boolean {
  return (insight as Figures).active === false;
}
