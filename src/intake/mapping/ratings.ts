// Ratings as people write them: "4/5", "Rated 4 out of 5", "5 stars", "80 %", "★★★★☆".

/** Signs in a row, of which those that are filled count. */
const STARS = /^(?:([★⭐🌟✪♥❤●⬤■◆*])\ufe0f?\s?)(?:\1\ufe0f?\s?){0,4}(?:[☆✩✰♡🤍○◯□◇]\ufe0f?\s?)*$/u;
const NUMBER = String.raw`(?<number>-?\d+(?:[.,]\d+)?)`;
const OF = String.raw`\s*(?:\/|out of|of|von|sur|de|di|su|van|av|z)\s*(?<of>\d+)`;
const WRITTEN = new RegExp(
  String.raw`^(?:\p{L}+:?\s+(?=.*\d\D+\d))?${NUMBER}(?:${OF})?\s*(?:[★⭐*%]\ufe0f?|\p{L}+)?$`,
  'iu',
);

/** Digits of Arabic, Persian and Thai as others write them. */
export function westernDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹๐-๙]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16));
}

/** A number, and the best of its scale if that is written; null if it is none. */
export function writtenRating(
  written: string,
): { readonly number: string; readonly of: number | null } | null {
  // "★2", "４" and "星3つ" are numbers.
  const text = westernDigits(written)
    .normalize('NFKC')
    .replace(/^[★⭐星]\ufe0f?\s?(?=\d)|(?<=\d)[つ個颗顆]$/gu, '');
  if (STARS.test(text)) return { number: String(text.match(/[★⭐🌟✪♥❤●⬤■◆*]/gu)?.length), of: 5 };
  const { number, of } = WRITTEN.exec(text)?.groups ?? {};
  if (number === undefined) return null;
  return { number, of: of === undefined ? null : Number(of) };
}
