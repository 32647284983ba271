// The page with the results: hand-written prose, and for each benchmark a section between two markers,
// which a run of the benchmark replaces.

/** Replaces the section of a benchmark, or appends it to a page without one. @throws if a marker is missing */
export function replaceSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- results of ${name} -->`, `<!-- end of ${name} -->`];
  const section = `${begin}\n\n${content.trim()}\n\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 && to < 0) return `${page.trimEnd()}\n\n## ${name}\n\n${section}\n`.trimStart();
  if (from < 0 || to < from)
    throw new Error(`expected two markers of ${name} on the page, found one`);
  return page.slice(0, from) + section + page.slice(to + end.length);
}
