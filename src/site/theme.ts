// The operator's colour, in tints that can be read on light ground and on dark (WCAG 2.2, 1.4.3).

import {
  converter,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  parseHex,
  useMode,
  wcagContrast,
} from 'culori/fn';

useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklch);
const toOklch = converter('oklch');

/** Of the grounds in `site.css` the one that is nearer to the letters. */
const GROUND = { light: '#fbfaf7', dark: '#201e1b' } as const;
/** Enough for text of any size. */
const CONTRAST = 4.5;
/** Of the way to black or white. */
const STEP = 0.01;

/** Hexadecimal colours. */
interface Tint {
  /** Readable on the ground, and as a ground for `inverse`. */
  readonly accent: string;
  readonly inverse: string;
}

/** The rules of style that the operator's colour, such as "#1f5c4d", makes. */
export function renderTheme(color: string): string {
  const [light, dark] = [readableTint(color, 'light'), readableTint(color, 'dark')];
  const rule = ({ accent, inverse }: Tint) =>
    `:root{--accent:${accent};--accent-inverse:${inverse}}`;
  return `${rule(light)}\n@media (prefers-color-scheme:dark){${rule(dark)}}\n`;
}

export function readableTint(color: string, scheme: keyof typeof GROUND): Tint {
  const ground = GROUND[scheme];
  const tint = toOklch(parseHex(color)) ?? { mode: 'oklch', l: 0.4, c: 0 };
  const away = scheme === 'light' ? -STEP : STEP;
  const readable = { ...tint };
  while (wcagContrast(formatHex(readable), ground) < CONTRAST) readable.l += away;
  return { accent: formatHex(readable), inverse: ground };
}
