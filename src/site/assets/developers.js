// Sends the example requests of the developers page and shows the responses. Without scripts the style
// sheet hides the forms; links lead to the responses.

const MOST_SHOWN = 20_000;
const COPIED_MS = 2_000;
// The documentation is in English; the page for other sites has its words in its language.
const { copyCode = 'Copy', copied = 'Copied' } =
  document.querySelector('.developers')?.dataset ?? {};

for (const block of document.querySelectorAll('pre')) addCopyButton(block);

// The configurator of embeds replaces its result.
const results = document.getElementById('results')?.parentElement;
if (results) {
  new MutationObserver(() => {
    for (const block of results.querySelectorAll('pre')) addCopyButton(block);
  }).observe(results, { childList: true });
}

function addCopyButton(block) {
  // Only pages with HTTPS, or of this machine, may write to the clipboard.
  if (!navigator.clipboard || block.nextElementSibling?.matches('.copy')) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copyCode;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => void copy(block, button));
  block.after(button);
}

async function copy(block, button) {
  await navigator.clipboard.writeText(block.textContent);
  button.textContent = copied;
  setTimeout(() => (button.textContent = copyCode), COPIED_MS);
}

// The field above the operations of the reference leaves those that have all of its words.
const field = document.querySelector('[data-find]');
field?.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const group of field.closest('nav').querySelectorAll('details details')) {
    const items = [...group.querySelectorAll('li')];
    for (const item of items) {
      const text = `${item.textContent} ${item.dataset.names}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = items.every(({ hidden }) => hidden);
    group.open = field.value !== '';
  }
});

for (const form of document.querySelectorAll('form[data-send]')) {
  const output = document.createElement('output');
  output.hidden = true;
  form.append(output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form, output);
  });
}

async function send(form, output) {
  const path = form.querySelector('[data-path]')?.value ?? form.getAttribute('action');
  const body = form.querySelector('[data-body]')?.value;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  output.hidden = false;
  output.textContent = 'Sending ...';
  try {
    // Only our own origin.
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) throw new TypeError('expected a path of this site');
    const options = body === undefined ? {} : { method: 'POST', headers, body };
    const response = await fetch(url, { ...options, cache: 'no-store' });
    output.textContent = await describe(response);
  } catch (error) {
    output.textContent = `No answer: ${error.message}`;
  }
}

async function describe(response) {
  const { text, isWhole } = await readBeginning(response);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '' && isWhole;
  const body = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const shown = body.length > MOST_SHOWN || !isWhole ? `${body.slice(0, MOST_SHOWN)} ...` : body;
  return `${response.status} ${response.statusText}\n${headers.join('\n')}\n\n${shown}`;
}

/** Reads no more than is shown, because datasets can be large. */
async function readBeginning(response) {
  let text = '';
  if (response.body) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      if (text.length <= MOST_SHOWN) continue;
      await reader.cancel();
      return { text, isWhole: false };
    }
  }
  return { text, isWhole: true };
}
