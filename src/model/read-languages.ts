// The languages whose reviews are analysed. Of reviews in others only the stars count.

const READ_LANGUAGES: ReadonlySet<string> = new Set(['en', 'de', 'es', 'fr']);

/** Whether reviews in a language (ISO 639-1) are analysed. Without a language they are read as English. */
export function isRead(code: string | null): boolean {
  return code === null || READ_LANGUAGES.has(code);
}
