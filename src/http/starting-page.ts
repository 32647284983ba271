// The page that browsers get until the first snapshot is loaded. It reloads itself.

import type { Language } from '../strings/language.ts';

/** Nothing is loaded, and no other site may frame it. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const STARTING_PAGE_TYPE = 'text/html; charset=utf-8';
export const STARTING_PAGE_HEADERS = [
  'Content-Security-Policy',
  POLICY,
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
] as const;

export function renderStartingPage({ code, strings: { starting } }: Language): string {
  return `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="2">
<title>${starting.title}</title>
</head>
<body>
<h1>${starting.heading}</h1>
<p>${starting.text}</p>
</body>
</html>
`;
}
