// What a check of `doctor` found.

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'wrong';
  readonly message: string;
  /** What to do; null if nothing has to be done. */
  readonly action: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, action: null };
}

export function warning(check: string, message: string, action: string): Finding {
  return { check, status: 'warning', message, action };
}

export function wrong(check: string, message: string, action: string): Finding {
  return { check, status: 'wrong', message, action };
}

/** Bytes in the largest unit that leaves a number of at least 1. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
