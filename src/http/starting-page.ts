// The page that browsers get until the first snapshot is loaded. It reloads itself.

/** Nothing is loaded, and no other site may frame it. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const STARTING_PAGE = {
  contentType: 'text/html; charset=utf-8',
  headers: [
    'Content-Security-Policy',
    POLICY,
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
  ],
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="2">
<title>Starting</title>
</head>
<body>
<h1>This site is starting</h1>
<p>The reviews are being prepared. This page reloads every two seconds until they are here.</p>
</body>
</html>
`,
} as const;
