// What scripts add to the pages, which work without: results that follow the fields of the search
// form, and addresses without the fields that were left empty.

const WAIT_MS = 200;

for (const form of document.querySelectorAll('form[method="get"]')) {
  form.addEventListener('formdata', ({ formData }) => {
    const empty = formData.entries().filter(([, value]) => value === '');
    for (const [name] of empty.toArray()) formData.delete(name);
  });
}

const filters = document.querySelector('form[data-filters]');
if (filters) {
  let timer = 0;
  let request = new AbortController();
  filters.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void showResults(), WAIT_MS);
  });

  const showResults = async () => {
    request.abort();
    request = new AbortController();
    const parameters = new URLSearchParams(new FormData(filters));
    const url = parameters.size > 0 ? `${filters.action}?${parameters}` : filters.action;
    try {
      const answer = await fetch(url, { signal: request.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const found = page.getElementById('results');
      if (!found) return;
      document.getElementById('results')?.replaceWith(document.adoptNode(found));
      history.replaceState(null, '', url);
    } catch (error) {
      // The reader typed on, or is offline: the button still works.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  };
}
