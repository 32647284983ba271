// The thread that draws a logo (see draw.ts).

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Drawing, Drawn } from './draw.ts';

const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf';

const { resolve } = createRequire(import.meta.url);
await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
parentPort?.postMessage(draw(workerData as Drawing), []);

function draw({ svg, sizes }: Drawing): Drawn {
  const font = { fontBuffers: [readFileSync(resolve(FONT))], loadSystemFonts: false };
  try {
    const { width, height } = new Resvg(svg);
    const mode = width < height ? 'height' : 'width';
    return sizes.map((size) => {
      const picture = new Resvg(svg, { fitTo: { mode, value: size }, font }).render();
      // Alpha is the last of four bytes.
      if (!picture.pixels.some((value, index) => index % 4 === 3 && value > 0)) {
        throw new Error('it shows nothing');
      }
      return Uint8Array.from(picture.asPng());
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
