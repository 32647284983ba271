// The page that shows `/openapi.json` to people: Swagger UI, served from this origin.

import { readFileSync } from 'node:fs';
import { ROUTES } from '../model/routes.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** A file that the page loads. */
export interface ReferenceFile {
  readonly contentType: string;
  readonly read: () => string | Uint8Array;
}

function packaged(name: string, contentType: string): ReferenceFile {
  return {
    contentType,
    read: () => readFileSync(new URL(import.meta.resolve(`@fastify/swagger-ui/static/${name}`))),
  };
}

export const SWAGGER_UI = {
  bundle: packaged('swagger-ui-bundle.js', SCRIPT_TYPE),
  style: packaged('swagger-ui.css', 'text/css; charset=utf-8'),
  start: {
    contentType: SCRIPT_TYPE,
    read: () =>
      `SwaggerUIBundle({ url: '${ROUTES.getOpenApi.path}', dom_id: '#reference', deepLinking: true,
  validatorUrl: null, defaultModelsExpandDepth: 0, docExpansion: 'list' });
`,
  },
} as const satisfies Record<string, ReferenceFile>;

/**
 * The Content-Security-Policy of the page: nothing inline, nothing from other origins. "Try it out" sends
 * requests to the origin of the document; the style sheet contains its pictures as data URLs.
 */
export function referencePolicy(origin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function renderReference(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reference of the interface</title>
<link rel="stylesheet" href="${ROUTES.getReferenceStyle.path}">
<main id="reference">
<noscript>
<p>This page needs scripts. What it shows is in <a href="${ROUTES.getOpenApi.path}">${ROUTES.getOpenApi.path}</a>, and
<a href="${ROUTES.showDevelopers.path}">the documentation</a> needs none.</p>
</noscript>
</main>
<script src="${ROUTES.getReferenceBundle.path}"></script>
<script src="${ROUTES.getReferenceStart.path}"></script>
</html>
`;
}
