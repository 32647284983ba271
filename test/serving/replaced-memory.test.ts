import { expect, test } from 'vitest';
import { collectReplaced } from '../../src/serving/replaced-memory.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const BYTES = 16 * 1024 * 1024;

test(
  'shared memory that nothing uses any more is collected without other work',
  async () => {
    const { promise: collected, resolve } = Promise.withResolvers<string>();
    const registry = new FinalizationRegistry(resolve);
    registry.register(unusedMemory(), 'collected');
    await collectReplaced(BYTES, new AbortController().signal, 0);
    expect(await collected).toBe('collected');
  },
  PATIENCE_MS,
);

function unusedMemory(): object {
  const memory = new SharedMemory();
  memory.reserve(BYTES);
  return memory.memory.buffer;
}
