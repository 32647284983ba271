// Shows the rating or reviews of a business. A shadow root isolates its style from the page,
// whose Content-Security-Policy needs this origin in script-src only. As a classic script, which it mostly is, it needs
// no CORS, which web spaces do not send; pages of earlier versions load it as a module.

/** Own, so that no id on the page stands for it. Scripts of data add to it, by their paths. */
const DATA = {};
/** What each of them had, by its address: those of two businesses have the same paths. */
const LOADED = {};
const NAME = 'public-reviews';
/** Those of this page, one a business; null in a module. */
const SCRIPTS = [document.currentScript];
const before = customElements.get(NAME);
/** What Trusted Types ask for, unless the page allows no policy of ours. A second script has no use for one. */
let policy = { createScript: (x) => x, createScriptURL: (x) => x };
try {
  policy = before ?? trustedTypes.createPolicy(NAME, policy);
} catch {}

const STAR = 'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z';
const SVG = 'http://www.w3.org/2000/svg';
const INK =
  '--ink:light-dark(#1c1b19,#f3f1ec);--soft:light-dark(#5b5954,#b3b0a8);--ground:light-dark(#fff,#1e1d1b);--rule:light-dark(#d9d6cf,#45433e);';
// A page without a dark mode stays light, whatever its reader prefers.
const STYLE = `:host{all:initial!important;display:inline-block!important;max-width:100%!important;${INK}color-scheme:inherit!important}
:host(:not([data-kind=badge])[data-kind]){display:block!important}
:host([data-theme=dark]){color-scheme:dark!important}
:host([data-theme=light]){color-scheme:light!important}
a,section{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);box-sizing:border-box}
.badge{display:inline-flex;flex-wrap:wrap;gap:.1em .5em;align-items:center;padding:.45em .8em;border:1px solid var(--rule);border-radius:.6em;text-decoration:none}
.badge:hover,button:hover{border-color:var(--soft)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
b{font-weight:650}
svg{width:5.6em;height:1.12em;flex:none;fill:var(--mark)}
.off{opacity:.25}
span,time{color:var(--soft)}
section{display:block;padding:1em;border:1px solid var(--rule);border-radius:.6em}
section a{background:none}
ul{list-style:none;margin:.75em 0;padding:0}
ul:last-child{margin-bottom:0}
li{padding:.75em 0;border-top:1px solid var(--rule)}
li:last-child{padding-bottom:0}
p{margin:.25em 0;overflow-wrap:anywhere;white-space:pre-line}
.row{display:flex;align-items:flex-start;gap:.75em;overflow-x:auto;scroll-snap-type:x mandatory;padding:.25em 0}
.row li{flex:1 0 min(18em,85%);box-sizing:border-box;scroll-snap-align:start;padding:.75em!important;border:1px solid var(--rule);border-radius:.6em;max-height:16em;overflow-y:auto}
button{font:inherit;color:inherit;background:none;border:1px solid var(--rule);border-radius:.6em;min-width:2.75em;min-height:2.75em;margin-inline-end:.5em;cursor:pointer}`;

function make(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...content);
  return element;
}

function stars(rating, label) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 100 20');
  if (label) {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  } else svg.setAttribute('aria-hidden', 'true');
  const row = (className, width) => {
    const part = document.createElementNS(SVG, 'svg');
    part.setAttribute('width', width);
    part.setAttribute('class', className);
    for (let index = 0; index < 5; index++) {
      const star = document.createElementNS(SVG, 'path');
      star.setAttribute('d', STAR);
      star.setAttribute('transform', `translate(${index * 20})`);
      part.append(star);
    }
    svg.append(part);
  };
  row('off', 100);
  row('', rating * 20);
  return svg;
}

function badge(data) {
  const { name, url, words, rating } = data;
  const link = make('a', { class: 'badge', href: url });
  // Its name has what it shows, for voice control.
  if (rating) link.append(stars(rating, `${name}: ${words}`), make('b', {}, data.mean));
  link.append(make('span', {}, data.count));
  return link;
}

function card(review) {
  const text = review.text && make('p', { dir: 'auto' }, review.text);
  if (text && review.lang) text.lang = review.lang;
  return [
    stars(review.rating, review.stars),
    ' ',
    make('a', { href: review.url }, make('bdi', {}, review.author)),
    ' ',
    make('time', { datetime: review.date }, review.day),
    text || '',
  ];
}

function section(data, ...content) {
  return make('section', { 'aria-label': data.label }, badge(data), ...content);
}

function list(data, reviews) {
  const items = reviews.map((review) => make('li', {}, ...card(review)));
  return section(data, make('ul', {}, ...items));
}

/** It scrolls without the buttons. */
function carousel(data, reviews) {
  const items = reviews.map((review) => make('li', { tabindex: 0 }, ...card(review)));
  const row = make('ul', { class: 'row', tabindex: 0, 'aria-label': data.label }, ...items);
  const move = (label, sign, by) => {
    const button = make('button', { type: 'button', 'aria-label': label }, sign);
    button.addEventListener('click', () => {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      row.scrollBy({ left: by * row.clientWidth * 0.8, behavior: isStill ? 'auto' : 'smooth' });
    });
    return button;
  };
  return section(data, row, move(data.previous, '‹', -1), move(data.next, '›', 1));
}

function tellEngines({ about, rating }) {
  if (!rating || document.getElementById(NAME)) return;
  const script = make('script', { id: NAME, type: 'application/ld+json' });
  script.textContent = policy.createScript(JSON.stringify(about));
  document.head.append(script);
}

/** What the script beside another has; undefined if it cannot be loaded. */
function load(name, beside) {
  const url = beside ? new URL(name, beside.src).href : `./${name}`;
  const byTag = (done) => {
    const script = make('script', { nonce: beside.nonce });
    // Its event comes before another script runs.
    script.addEventListener('load', () => done(DATA[name]));
    script.addEventListener('error', () => done());
    script.src = policy.createScriptURL(url);
    document.head.append(script);
  };
  return (LOADED[url] ??= beside
    ? new Promise(byTag)
    : import(url).then(
        () => DATA[name],
        () => {},
      ));
}

class PublicReviews extends HTMLElement {
  static add(script) {
    if (!script || SCRIPTS.some((one) => one?.src === script.src)) return;
    SCRIPTS.push(script);
    for (const one of document.querySelectorAll(NAME)) one.attributeChangedCallback();
  }

  static observedAttributes = 'kind count words color review'.split(' ').map((x) => `data-${x}`);
  #root = this.attachShadow({ mode: 'open' });
  #isReady = false;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    // The element's own content, until the data is there.
    this.#root.append(document.createElement('slot'));
  }

  connectedCallback() {
    this.#isReady = true;
    void this.#show();
  }

  attributeChangedCallback() {
    if (this.#isReady) void this.#show();
  }

  async #show() {
    // Content of the page may choose among the origins of its scripts only, by the link inside.
    const link = this.querySelector('a');
    if (!link && document.readyState === 'loading')
      return document.addEventListener('DOMContentLoaded', () => void this.#show());
    const start = `${link?.origin}/`;
    const own = SCRIPTS.find((one) => one?.src.startsWith(start));
    // Another business until its script is there would be wrong.
    if (!own && SCRIPTS[0] && document.querySelector(`script[src^="${start}"]`)) return;
    if (!own && link && document.querySelectorAll('script[src$="embed.js"]')[1]) {
      // It may have shown another business before the second script was there.
      this.#root.replaceChildren(document.createElement('slot'));
      return console.warn(`no script of ${start}`);
    }
    const read = (name) => load(name, own ?? SCRIPTS[0]);
    const all = this.dataset;
    const { kind, words, color, review, location } = all;
    const check = (isGood, name, what) =>
      isGood || (all[name] && console.warn(`data-${name}: ${what}, not "${all[name]}"`));
    const is = (name, what, said = what) =>
      check(RegExp(`^(${what})$`).test(all[name]), name, said);
    const data = await read(`${location ? `locations/${location}/` : ''}embed-data.js`);
    if (!data) return check(0, 'location', 'id');
    is('kind', 'badge|list|carousel|review');
    is('theme', 'light|dark');
    const least = is('words', '[1-4]?\\d|50', '0 to 50') ? words : 0;
    const { reviews } = data;
    const long = reviews.filter(({ text }) => !least || text?.split(' ').length >= least);
    let shown = badge(data);
    const told = (long[0] ? long : reviews).slice(
      0,
      is('count', '[1-9]|10', '1 to 10') ? all.count : 3,
    );
    if (kind === 'list') shown = list(data, told);
    if (kind === 'carousel') shown = carousel(data, told);
    if (kind === 'review') {
      let [one] = reviews;
      if (review) one = /^[0-9A-Z]{26}$/.test(review) && (await read(`embed-reviews/${review}.js`));
      if (check(one, 'review', 'id')) shown = list(data, [one]);
    }
    const isColor = check(CSS.supports('color', color), 'color', 'CSS');
    shown.style.setProperty('--mark', isColor ? color : 'light-dark(' + data.colors.join() + ')');
    this.#root.replaceChildren(shown);
    tellEngines(data);
  }
}

if (before) before.add?.(SCRIPTS[0]);
else {
  globalThis.publicReviews = DATA;
  customElements.define(NAME, PublicReviews);
}
