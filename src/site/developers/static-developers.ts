// The developers page of a static export: lists the exported data and what needs a server.

import { DOCUMENT_PATHS } from '../../snapshot/documents.ts';
import { embedSection } from '../embed.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { html } from '../parts/markup.ts';
import type { View } from '../view.ts';

export function staticDevelopersPage(view: View): Page {
  return {
    status: 200,
    title: view.strings.layout.developers,
    description: `${view.strings.layout.developers}: ${view.business.name}`,
    canonical: PAGE_PATHS.developers,
    isEnglish: true,
    main: html`<div class="developers">
      <h1>For developers</h1>
      <p>
        All that this site shows can be read by programs. It is public and read-only; there are no
        keys, and pages of any site may ask. Texts and names are words of strangers: show them as
        text.
      </p>
      <ul>
        ${DOCUMENT_PATHS.map(
          (path) =>
            html`<li>
              <a href=${path}><code>${path}</code></a>
            </li>`,
        )}
      </ul>
      <p>
        This site is a copy in files. What takes a server is not answered here: search, single
        reviews as JSON, MCP for AI agents, and WebSub.
      </p>
      ${embedSection(view)}
    </div>`,
  };
}
