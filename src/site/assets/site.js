// Progressive enhancement: updates results while the user edits the search form, and removes empty
// fields from URLs, and copies links.

const DEBOUNCE_MS = 200;

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
    timer = setTimeout(() => void showResults(), DEBOUNCE_MS);
  });

  const showResults = async () => {
    request.abort();
    request = new AbortController();
    const parameters = new URLSearchParams(new FormData(filters));
    const url = parameters.size > 0 ? `${filters.action}?${parameters}` : filters.action;
    try {
      const response = await fetch(url, { signal: request.signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const found = page.getElementById('results');
      if (!found) return;
      document.getElementById('results')?.replaceWith(document.adoptNode(found));
      document.title = page.title;
      // Screen readers announce only the heading, not all results after every keystroke.
      const heading = document.querySelector('#results h2')?.textContent ?? '';
      document.getElementById('search-status').textContent = heading.replaceAll(/\s+/g, ' ').trim();
      history.replaceState(null, '', url);
    } catch (error) {
      // The request was replaced by a newer one, or the network is down: the button still works.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  };
}

// "Copy link" of a review. Results are replaced while the user types, so the document listens.
const COPIED_MS = 2000;
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-copy]') : null;
  if (button && !button.dataset.label) void copyLink(button);
});

async function copyLink(button) {
  const { copy, copied } = button.dataset;
  try {
    await navigator.clipboard.writeText(copy);
  } catch {
    // The browser does not allow it, for example because the page came over HTTP.
    location.href = copy;
    return;
  }
  button.dataset.label = button.textContent;
  button.setAttribute('aria-live', 'polite');
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = button.dataset.label;
    delete button.dataset.label;
  }, COPIED_MS);
}
