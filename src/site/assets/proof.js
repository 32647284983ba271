// Computes on the page of a review, when "Proof" is opened, that the review is in the signed log. It says so
// only if every step holds.

const encoder = new TextEncoder();

const decode = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const concat = (...pieces) => {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
};

const sha256 = async (...pieces) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...pieces)));

const isSame = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Canonical JSON (RFC 8785). */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
};

/** The root that a leaf and its proof lead to (RFC 9162, section 2.1.3.2); null if they do not fit. */
const rootOf = async (leaf, index, size, proof) => {
  if (!(index < size)) return null;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = await sha256([1], sibling, hash);
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2);
        last = Math.floor(last / 2);
      }
    } else {
      hash = await sha256([1], hash, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : null;
};

/** Whether a key, as the log writes it, signed a note (https://c2sp.org/signed-note). */
const isSigned = async (note, key) => {
  const [name, id, ...rest] = key.split('+');
  const typed = decode(rest.join('+'));
  const end = note.lastIndexOf('\n\n') + 1;
  const text = encoder.encode(note.slice(0, end));
  const publicKey = await crypto.subtle.importKey('raw', typed.slice(1), 'Ed25519', false, [
    'verify',
  ]);
  for (const line of note.slice(end + 1).split('\n')) {
    const [, signer, encoded] = line.split(' ');
    if (signer !== name) continue;
    const bytes = decode(encoded);
    const hex = Array.from(bytes.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
    if (hex.join('') !== id) continue;
    if (await crypto.subtle.verify('Ed25519', publicKey, bytes.slice(4), text)) return true;
  }
  return false;
};

/** @returns the name of the text that says what does not hold; null if everything does */
const findProblem = async (review, proof) => {
  const entry = JSON.parse(proof.entry);
  const digest = await sha256(decode(proof.salt), encoder.encode(canonical(review)));
  if (!isSame(digest, decode(entry.digest))) return 'otherReview';
  const leaf = await sha256([0], encoder.encode(proof.entry));
  const [, size, root] = proof.checkpoint.split('\n');
  const siblings = proof.inclusion_proof.map(decode);
  const computed = await rootOf(leaf, proof.index, Number(size), siblings);
  if (computed === null || !isSame(computed, decode(root))) return 'notInLog';
  for (const key of proof.keys) if (await isSigned(proof.checkpoint, key)) return null;
  return 'notSigned';
};

const read = async (url) => {
  const answer = await fetch(url, { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
};

for (const details of document.querySelectorAll('details[data-proof]')) {
  const output = details.querySelector('output');
  const texts = JSON.parse(details.dataset.texts);
  const write = (name, values = {}) => {
    output.textContent = texts[name].replaceAll(/\{(\w+)\}/g, (_, value) => values[value]);
  };
  const check = async () => {
    details.dataset.state = 'running';
    write('running');
    try {
      const { proof: proofUrl, review: reviewUrl } = details.dataset;
      const [proof, review] = await Promise.all([read(proofUrl), read(reviewUrl)]);
      const problem = await findProblem(review, proof);
      details.dataset.state = problem === null ? 'good' : 'bad';
      const [log, size] = proof.checkpoint.split('\n');
      write(problem ?? 'good', { index: proof.index, size, log });
    } catch (error) {
      details.dataset.state = 'unknown';
      write('unknown', { reason: error.message });
    }
  };
  details.addEventListener('toggle', () => {
    if (details.open && !details.dataset.state) void check();
  });
}
