// /favicon.ico: an ICO file in the operator's colour.

import { expect, test } from 'vitest';
import { renderFavicon } from '../../src/site/pictures/favicon.ts';
import { openBrowser } from '../support/browser.ts';

test('is a white star on the colour, as a browser decodes it', async () => {
  const icon = renderFavicon('#1f5c4d');
  expect([...icon.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const data = icon.toString('base64');
    await page.setContent(`<img src="data:image/vnd.microsoft.icon;base64,${data}">`);
    const shown = await page.locator('img').evaluate(async (element) => {
      const image = element as HTMLImageElement;
      await image.decode();
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const at = (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data];
      return { width: image.naturalWidth, centre: at(16, 16), top: at(16, 2), foot: at(16, 30) };
    });
    expect(shown).toEqual({
      width: 32,
      centre: [255, 255, 255, 255],
      top: [0x1f, 0x5c, 0x4d, 255],
      foot: [0x1f, 0x5c, 0x4d, 255],
    });
  } finally {
    await browser.close();
  }
});
