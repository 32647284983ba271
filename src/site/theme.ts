// Adjusts the operator's colour until it is readable on light and dark backgrounds (WCAG 2.2, 1.4.3).

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

/** The backgrounds of `site.css` with the lower contrast to text. */
const BACKGROUND = { light: '#fbfaf7', dark: '#201e1b' } as const;
/** WCAG AA for text of any size. */
const MIN_CONTRAST = 4.5;
/** Change of OKLCH lightness per step. */
const LIGHTNESS_STEP = 0.01;

/** Hexadecimal colours. */
interface Tint {
  /** Readable on the background, and as a background for `inverse`. */
  readonly accent: string;
  readonly inverse: string;
}

/** Renders the CSS variables for the operator's colour, such as "#1f5c4d". */
export function renderTheme(color: string): string {
  const [light, dark] = [readableTint(color, 'light'), readableTint(color, 'dark')];
  const rule = ({ accent, inverse }: Tint) =>
    `:root{--accent:${accent};--accent-inverse:${inverse}}`;
  return `${rule(light)}\n@media (prefers-color-scheme:dark){${rule(dark)}}\n`;
}

/** The colour, darkened or lightened until it is readable. */
export function readableTint(color: string, scheme: keyof typeof BACKGROUND): Tint {
  const background = BACKGROUND[scheme];
  const tint = toOklch(parseHex(color)) ?? { mode: 'oklch', l: 0.4, c: 0 };
  const step = scheme === 'light' ? -LIGHTNESS_STEP : LIGHTNESS_STEP;
  const readable = { ...tint };
  while (wcagContrast(formatHex(readable), background) < MIN_CONTRAST) readable.l += step;
  return { accent: formatHex(readable), inverse: background };
}
