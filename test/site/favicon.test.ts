// /favicon.ico: an ICO file in the operator's colour.

import { expect, test } from 'vitest';
import { renderFavicon } from '../../src/site/pictures/favicon.ts';
import { openBrowser } from '../support/browser.ts';

/** The RGBA values of a pixel in the file. */
function pixel(icon: Buffer, x: number, y: number): number[] {
  const [size, start] = [32, icon.readUInt32LE(18) + 40];
  const at = start + ((size - 1 - y) * size + x) * 4;
  return [icon[at + 2]!, icon[at + 1]!, icon[at]!, icon[at + 3]!];
}

test('is a white star on a rounded square of the colour', () => {
  const icon = renderFavicon('#1f5c4d');
  expect([...icon.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  expect(icon.readUInt32LE(14)).toBe(icon.length - 22);
  expect(pixel(icon, 16, 16)).toEqual([255, 255, 255, 255]);
  expect(pixel(icon, 16, 2)).toEqual([0x1f, 0x5c, 0x4d, 255]);
  expect(pixel(icon, 16, 30)).toEqual([0x1f, 0x5c, 0x4d, 255]);
  expect(pixel(icon, 0, 0)[3]).toBe(0);
  expect(renderFavicon('#aa0000')).not.toEqual(icon);
});

test('is decoded by a browser', async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const data = renderFavicon('#1f5c4d').toString('base64');
    await page.setContent(`<img src="data:image/vnd.microsoft.icon;base64,${data}">`);
    const shown = await page.locator('img').evaluate(async (element) => {
      const image = element as HTMLImageElement;
      await image.decode();
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const at = (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data];
      return { width: image.naturalWidth, centre: at(16, 16), top: at(16, 2), corner: at(0, 0) };
    });
    expect(shown).toEqual({
      width: 32,
      centre: [255, 255, 255, 255],
      top: [0x1f, 0x5c, 0x4d, 255],
      corner: [0, 0, 0, 0],
    });
  } finally {
    await browser.close();
  }
});
