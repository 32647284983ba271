// Progressive enhancement: updates results while the user edits the search form, removes empty fields from URLs,
// copies links, and says whether the business is open now.

const DEBOUNCE_MS = 200;

for (const form of document.querySelectorAll('form[method="get"]')) {
  // An empty hidden field says that the form was sent.
  const hidden = [...form.querySelectorAll('input[type="hidden"]')].map(({ name }) => name);
  form.addEventListener('formdata', ({ formData }) => {
    const empty = formData
      .entries()
      .filter(([name, value]) => value === '' && !hidden.includes(name));
    for (const [name] of empty.toArray()) formData.delete(name);
  });
}

const filters = document.querySelector('form[data-filters]');
if (filters) {
  let timer = 0;
  let request = new AbortController();
  const update = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void showResults(), DEBOUNCE_MS);
  };
  filters.addEventListener('input', update);
  // Other fields of the form are among the results, which replaces them: only when they are filled in.
  document.addEventListener('change', ({ target }) => {
    if (target.form === filters && !filters.contains(target)) update();
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
      const old = document.getElementById('results');
      const focused = old.contains(document.activeElement) ? document.activeElement.id : '';
      const isOpen = [...old.querySelectorAll('.panel, .panel details')].map(({ open }) => open);
      old.replaceWith(document.adoptNode(found));
      found
        .querySelectorAll('.panel, .panel details')
        .forEach((one, at) => (one.open = isOpen[at]));
      if (focused !== '') document.getElementById(focused)?.focus();
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
  if (button) void copyLink(button, button.lastElementChild);
});

async function copyLink({ dataset: { copy, copied }, title }, words) {
  try {
    await navigator.clipboard.writeText(copy);
  } catch {
    // The browser does not allow it, for example because the page came over HTTP.
    location.href = copy;
    return;
  }
  words.setAttribute('aria-live', 'polite');
  words.className = '';
  words.textContent = copied;
  setTimeout(() => {
    words.className = 'unseen';
    words.textContent = title;
  }, COPIED_MS);
}

// "Open now": a cached page has the hours, and the reader's clock the time.
const MINUTES_OF_DAY = 24 * 60;
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY;
const sign = document.querySelector('[data-zone]');
if (sign) {
  const tell = () => (sign.textContent = openingAt(new Date(), sign.dataset));
  tell();
  setInterval(tell, 60_000);
}

function minutesOf(time) {
  const [hours, minutes] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Times are in minutes since the start of Monday, at the place. */
function openingAt(time, { zone, next }) {
  const { weekday, hour, minute } = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday);
  const now = day * MINUTES_OF_DAY + minutesOf(`${hour}:${minute}`);
  const spans = [...document.querySelectorAll('.hours li')].flatMap(({ dataset }) => {
    const opens = minutesOf(dataset.opens);
    // Past midnight, or all day.
    const length = (minutesOf(dataset.closes) - opens + MINUTES_OF_DAY) % MINUTES_OF_DAY;
    return [...dataset.days].map((index) => ({
      from: Number(index) * MINUTES_OF_DAY + opens,
      length: length || MINUTES_OF_DAY,
      dataset,
    }));
  });
  const until = ({ from }) => (from - now + MINUTES_OF_WEEK) % MINUTES_OF_WEEK;
  const open = spans.find((one) => (MINUTES_OF_WEEK - until(one)) % MINUTES_OF_WEEK < one.length);
  if (open) return open.dataset.open;
  const soonest = spans.reduce((one, other) => (until(other) < until(one) ? other : one));
  const { lang } = document.documentElement;
  // 1 January 2024 was a Monday.
  const opening = new Date(Date.UTC(2024, 0, 1, 0, soonest.from));
  const days = Math.floor((now + until(soonest)) / MINUTES_OF_DAY) - day;
  const name =
    days < 2
      ? new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(days, 'day')
      : opening.toLocaleDateString(lang, { weekday: 'long', timeZone: 'UTC' });
  return next.replace('{day}', name).replace('{time}', soonest.dataset.time);
}
