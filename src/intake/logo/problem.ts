// Why a file cannot be a logo.

/** Problems of the content of a file, in words that follow "got". */
export class LogoProblem extends Error {
  override readonly name = 'LogoProblem';
}

/** Returns what says why a file of a format is damaged. */
export const damagedIn = (format: string) => (reason: string) =>
  new LogoProblem(`a damaged ${format}: ${reason}`);

/** Pixels on each side of a PNG or JPEG. More takes a browser too much memory. */
export const MAX_PIXELS = 4096;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A file of which only what a picture needs is left. */
export interface CleanLogo extends Size {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

/** @throws {LogoProblem} if a picture is empty or too large. */
export function assertSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw new LogoProblem('one without pixels');
  if (width > MAX_PIXELS || height > MAX_PIXELS) {
    const show = (pixels: number) => pixels.toLocaleString('en');
    throw new LogoProblem(
      `one of ${show(width)} × ${show(height)} pixels, where ${show(MAX_PIXELS)} × ` +
        `${show(MAX_PIXELS)} are the most`,
    );
  }
}
