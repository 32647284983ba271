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
import type { Business } from '../../model/business.ts';
import type { Font, SiteLook } from '../../model/site-look.ts';

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

/** Stacks of fonts that devices have, for texts and headings. */
const FONT_STACKS: Readonly<Record<Exclude<Font, 'system'>, string>> = {
  serif: "ui-serif,'Iowan Old Style',Palatino,'Book Antiqua',Georgia,serif",
  rounded: "ui-rounded,'Hiragino Maru Gothic ProN',Quicksand,Nunito,'Trebuchet MS',sans-serif",
  classic: "'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif",
};

/** How the pages look. */
export interface Look {
  /** Hexadecimal, such as "#1f5c4d". */
  readonly color: string;
  readonly font: Font;
  readonly scheme: SiteLook['color_scheme'];
}

export function lookOf({ site }: Pick<Business, 'site'>, color: string): Look {
  return {
    color: site?.color ?? color,
    font: site?.font ?? 'system',
    scheme: site?.color_scheme ?? 'auto',
  };
}

/** The whole style sheet: colours and fonts of the operator, and the style of the pages. */
export function renderStyle({ color, font, scheme }: Look, style: string): string {
  const fonts =
    font === 'system' ? '' : `:root{--sans:${FONT_STACKS[font]};--serif:${FONT_STACKS[font]}}\n`;
  const sheet = renderTheme(color) + style + fonts;
  if (scheme === 'auto') return sheet;
  return sheet
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? 'all' : 'not all')
    .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`);
}

/** Hexadecimal colours. */
interface Tint {
  /** Readable on the background, and as a background for `inverse`. */
  readonly accent: string;
  readonly inverse: string;
}

/** Renders the CSS variables for the operator's colour, such as "#1f5c4d". */
function renderTheme(color: string): string {
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
