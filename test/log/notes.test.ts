import { describe, expect, test } from 'vitest';
import {
  formatCheckpoint,
  formatCosignRequest,
  parseCheckpoint,
  parseCosignRequest,
} from '../../src/log/checkpoint.ts';
import { signCheckpoint } from '../support/sign-checkpoint.ts';
import {
  cosignNote,
  formatVerifierKey,
  isSeed,
  newSeed,
  parseNote,
  parseVerifierKey,
  signersOf,
  signingKey,
  signNote,
} from '../../src/log/notes.ts';

// The key and the note of the documentation of golang.org/x/mod/sumdb/note.
const SEED = 'gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=';
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const NOTE =
  `${TEXT}\n— PeterNeumann ` +
  'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

const peter = signingKey('PeterNeumann', 'log', SEED);

describe('a note of another implementation', () => {
  test('verifies', () => {
    const key = parseVerifierKey(KEY)!;
    expect(signersOf(parseNote(NOTE)!, [key])).toEqual([key]);
  });

  test('is the one that we sign', () => {
    expect(formatVerifierKey(peter)).toBe(KEY);
    expect(`${TEXT}\n${signNote(TEXT, peter)}`).toBe(NOTE);
  });
});

test('the example of the specification is parsed', () => {
  const note = parseNote(
    'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n' +
      '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n',
  )!;
  expect(note.text.endsWith('\n\ned è subito sera.\n')).toBe(true);
  expect(note.signatures.map(({ name }) => name)).toEqual(['quasimodo.example/salvatore']);
  expect(note.signatures[0]!.bytes).toHaveLength(64);
});

test.each([
  '',
  'text\n',
  'text\n\n',
  'text\n\n— name\n',
  'text\n\n— name AAAAAA==\n',
  'text\n\n- name AAAAAAA=\n',
  'text\n\n— a+b AAAAAAAA\n',
  'text\n\n— name AAAAAAAA',
  'te\rxt\n\n— name AAAAAAAA\n',
  'text\n\n— name AAAAAAAA\nmore\n',
  `${'x'.repeat(70_000)}\n\n— name AAAAAAAA\n`,
])('%j is no note', (text) => {
  expect(parseNote(text)).toBeNull();
});

test('keys are random, and read back as they are written', () => {
  const [seed, other] = [newSeed(), newSeed()];
  expect(isSeed(seed)).toBe(true);
  expect(isSeed('c2VlZA==')).toBe(false);
  expect(seed).not.toBe(other);
  for (const signer of ['log', 'witness'] as const) {
    const { privateKey: _, ...key } = signingKey('reviews.example/log', signer, seed);
    expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
  }
});

test.each([
  '',
  KEY.replace('c74f20a3', 'c74f20a4'),
  KEY.replace('PeterNeumann', 'Peter Neumann'),
  KEY.slice(0, -4),
  `${KEY}AAAA`,
])('%j is no key', (text) => {
  expect(parseVerifierKey(text)).toBeNull();
});

describe('signatures of a note', () => {
  const witness = signingKey('witness.example/w1', 'witness', newSeed());
  const note = () => parseNote(`${NOTE}${cosignNote(TEXT, witness, 1_700_000_000)}`)!;

  test('of several kinds verify side by side', () => {
    const signers = signersOf(note(), [peter, witness])!;
    expect(signers.map(({ name }) => name)).toEqual(['PeterNeumann', 'witness.example/w1']);
  });

  test('of unknown keys are ignored, even of the same name', () => {
    const namesake = signingKey('PeterNeumann', 'log', newSeed());
    expect(signersOf(note(), [namesake])).toEqual([]);
  });

  test('refuse the note if one of a known key does not verify', () => {
    const { text, signatures } = note();
    expect(signersOf({ text: `${text}more\n`, signatures }, [peter])).toBeNull();
    expect(signersOf({ text: `${text}more\n`, signatures }, [witness])).toBeNull();
  });

  test('a cosignature is made over the time and the text', () => {
    const line = cosignNote(TEXT, witness, 1_700_000_000);
    expect(line).not.toBe(cosignNote(TEXT, witness, 1_700_000_001));
    const [, , encoded] = line.trim().split(' ');
    const bytes = Buffer.from(encoded!, 'base64');
    expect(bytes).toHaveLength(4 + 8 + 64);
    expect(bytes.readBigUInt64BE(4)).toBe(1_700_000_000n);
  });
});

describe('a checkpoint', () => {
  const root = Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64');
  const checkpoint = { origin: 'example.com/behind-the-sofa', size: 20_852_163, root };
  const TEXT_OF_SPECIFICATION =
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

  test('is written as in the specification', () => {
    expect(formatCheckpoint(checkpoint)).toBe(TEXT_OF_SPECIFICATION);
  });

  test('reads back, signed with two keys', () => {
    const keys = [peter, signingKey('next', 'log', newSeed())];
    const parsed = parseCheckpoint(signCheckpoint(checkpoint, keys))!;
    expect(parsed).toMatchObject(checkpoint);
    expect(signersOf(parsed.note, keys)).toEqual(keys);
  });

  test('may have lines of extensions', () => {
    const text = `${TEXT_OF_SPECIFICATION}extension\n\n${signNote('x', peter)}`;
    expect(parseCheckpoint(text)).toMatchObject(checkpoint);
  });

  test.each([
    ['an empty origin', ['', '1', root.toString('base64')]],
    ['a size with a leading zero', ['a', '01', root.toString('base64')]],
    ['a negative size', ['a', '-1', root.toString('base64')]],
    ['a size beyond all numbers', ['a', '9999999999999999', root.toString('base64')]],
    ['a short root', ['a', '1', root.subarray(1).toString('base64')]],
    ['no root', ['a', '1']],
  ])('is refused with %s', (_what, lines) => {
    expect(parseCheckpoint(`${lines.join('\n')}\n\n${signNote('x', peter)}`)).toBeNull();
  });

  test('travels to a witness and back', () => {
    const request = {
      oldSize: 5,
      proof: [root, Buffer.alloc(32)],
      checkpoint: signCheckpoint(checkpoint, [peter]),
    };
    const body = formatCosignRequest(request);
    expect(body.startsWith(`old 5\n${root.toString('base64')}\n`)).toBe(true);
    expect(parseCosignRequest(body)).toEqual(request);
    const first = { oldSize: 0, proof: [], checkpoint: request.checkpoint };
    expect(parseCosignRequest(formatCosignRequest(first))).toEqual(first);
    for (const broken of ['', 'old\n\nx', 'old 05\n\nx', 'old 5\nAAAA\n\nx', 'new 5\n\nx']) {
      expect(parseCosignRequest(broken)).toBeNull();
    }
    const line = `${root.toString('base64')}\n`;
    expect(parseCosignRequest(`old 5\n${line.repeat(63)}\nx`)).not.toBeNull();
    expect(parseCosignRequest(`old 5\n${line.repeat(64)}\nx`)).toBeNull();
  });
});
