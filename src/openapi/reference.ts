// The page that shows `/openapi.json` to people: Swagger UI, its files served by us.

import { readFileSync } from 'node:fs';
import { OPENAPI_PATH, REFERENCE_PATH } from './paths.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** A file that the page consists of. */
export interface ReferenceFile {
  readonly path: string;
  readonly contentType: string;
  readonly read: () => string | Uint8Array;
}

function fileOf(name: string, contentType: string): ReferenceFile {
  return {
    path: `${REFERENCE_PATH}/${name}`,
    contentType,
    read: () => readFileSync(new URL(import.meta.resolve(`@fastify/swagger-ui/static/${name}`))),
  };
}

const BUNDLE = fileOf('swagger-ui-bundle.js', SCRIPT_TYPE);
const STYLE = fileOf('swagger-ui.css', 'text/css; charset=utf-8');
const START: ReferenceFile = {
  path: `${REFERENCE_PATH}/start.js`,
  contentType: SCRIPT_TYPE,
  read: () =>
    `SwaggerUIBundle({ url: '${OPENAPI_PATH}', dom_id: '#reference', deepLinking: true,
  validatorUrl: null, defaultModelsExpandDepth: 0, docExpansion: 'list' });
`,
};

export const REFERENCE_FILES: readonly ReferenceFile[] = [BUNDLE, STYLE, START];

/**
 * The policy of the page: nothing inline, nothing from elsewhere. Requests that are tried out go to
 * the origin that the document names; the pictures of the style sheet are in it.
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

/** The page. */
export function renderReference(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reference of the interface</title>
<link rel="stylesheet" href="${STYLE.path}">
<main id="reference">
<noscript>
<p>This page needs scripts. What it shows is in <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>, and
<a href="/developers">the documentation</a> needs none.</p>
</noscript>
</main>
<script src="${BUNDLE.path}"></script>
<script src="${START.path}"></script>
</html>
`;
}
