import { expect, test } from 'vitest';
import { collectReplaced } from '../../src/serving/replaced-memory.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const BYTES = 16 * 1024 * 1024;

test(
  'shared memory that nothing uses any more is collected without other work',
  async () => {
    const collected: string[] = [];
    const registry = new FinalizationRegistry((value: string) => void collected.push(value));
    registry.register(unusedMemory(), 'memory');
    // Other tests of this process may have left so much that one step of the collector does not suffice.
    while (collected.length === 0) await collectReplaced(BYTES, new AbortController().signal, 0);
    expect(collected).toEqual(['memory']);
  },
  PATIENCE_MS,
);

function unusedMemory(): object {
  const memory = new SharedMemory();
  memory.reserve(BYTES);
  return memory.memory.buffer;
}
