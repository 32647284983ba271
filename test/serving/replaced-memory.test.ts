import { expect, test } from 'vitest';
import { collectReplaced } from '../../src/serving/replaced-memory.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';

const BYTES = 16 * 1024 * 1024;
const MOST_STEPS = 100;

test('shared memory that nothing uses any more is collected without other work', async () => {
  const collected: string[] = [];
  const registry = new FinalizationRegistry((value: string) => void collected.push(value));
  registry.register(unusedMemory(), 'memory');
  // Other tests of this process may have left so much that one step of the collector does not suffice.
  for (let step = 0; step < MOST_STEPS && collected.length === 0; step++) {
    await collectReplaced(BYTES, new AbortController().signal, 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(collected).toEqual(['memory']);
});

function unusedMemory(): object {
  const memory = new SharedMemory();
  memory.reserve(BYTES);
  return memory.memory.buffer;
}
