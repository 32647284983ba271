// What an SVG logo may have. Everything else is left out.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** No scripts, no animations (they can change links), no HTML, no pictures within pictures, no links. */
export const ELEMENTS = words(`
  svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc
  linearGradient radialGradient stop clipPath mask pattern marker style switch filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
  feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** Elements whose text is kept. */
export const TEXTS = words('text tspan textPath title desc style');

/** Attributes without a namespace. None that starts with "on" is among them. */
export const ATTRIBUTES = words(`
  id class style lang href version viewBox preserveAspectRatio x y x1 x2 y1 y2 dx dy cx cy r rx ry fx fy fr
  width height d points pathLength transform transform-origin rotate textLength lengthAdjust startOffset
  method spacing side offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits
  patternTransform clipPathUnits maskUnits maskContentUnits mask-type markerUnits markerWidth markerHeight
  refX refY orient filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept
  amplitude exponent operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode
  preserveAlpha kernelUnitLength surfaceScale diffuseConstant specularConstant specularExponent
  lighting-color scale xChannelSelector yChannelSelector azimuth elevation z pointsAtX pointsAtY pointsAtZ
  limitingConeAngle flood-color flood-opacity stdDeviation radius baseFrequency numOctaves seed stitchTiles
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width stop-color stop-opacity color color-interpolation
  color-interpolation-filters opacity display visibility overflow clip clip-path clip-rule mask filter
  marker-start marker-mid marker-end paint-order shape-rendering text-rendering image-rendering
  vector-effect isolation mix-blend-mode enable-background font-family font-size font-size-adjust
  font-stretch font-style font-variant font-weight letter-spacing word-spacing text-anchor text-decoration
  dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi media
`);

/** Functions of CSS that load nothing. */
export const FUNCTIONS = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix calc min max clamp var light-dark
  matrix translate translatex translatey scale scalex scaley rotate skewx skewy
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  circle ellipse inset polygon path not is where nth-child nth-of-type
`);
