// The page that keeps the results: prose by hand, and between two markers a section for each
// benchmark, which a run of that benchmark writes anew.

/** Puts what a benchmark found in its place; a page that has no place for it gets one at its end. */
export function replaceSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- results of ${name} -->`, `<!-- end of ${name} -->`];
  const section = `${begin}\n\n${content.trim()}\n\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 && to < 0) return `${page.trimEnd()}\n\n## ${name}\n\n${section}\n`.trimStart();
  if (from < 0 || to < from) throw new Error(`the page lacks a marker of ${name}`);
  return page.slice(0, from) + section + page.slice(to + end.length);
}
