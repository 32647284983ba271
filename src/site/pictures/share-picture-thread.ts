// The thread that draws pictures for links: it gets the content of a picture, and answers with a PNG file, or with
// a text that says why there is none.

import { parentPort } from 'node:worker_threads';
import { drawSharePicture } from './draw-share-picture.ts';
import { PictureRenderer } from './picture-renderer.ts';
import type { ShareContent } from './share-picture.ts';

const renderer = PictureRenderer.open();

parentPort?.on('message', (content: ShareContent) => {
  const answer = (drawn: Uint8Array | string) => parentPort?.postMessage(drawn, []);
  renderer
    .then((opened) => answer(Uint8Array.from(drawSharePicture(opened, content))))
    .catch((error: unknown) => answer(error instanceof Error ? error.message : String(error)));
});
