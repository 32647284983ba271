// The heap of a publish, which lives for seconds and needs almost all that it allocates until its end:
// collecting garbage took a quarter of its CPU time, and freed little.

export const HEAP_OPTIONS: readonly string[] = [
  // The space for new objects, in MiB; twice that is used. What survives is copied less often than with less.
  '--max-semi-space-size=32',
  // V8 collects all garbage only in a heap of more MiB, or of half of its limit if that is less.
  '--initial-old-space-size=1000',
  // Buffers count as part of the heap. By default every further 64 MiB of them start a collection of
  // everything, and documents and index are several hundred.
  '--external-memory-accounted-in-global-limit',
  // What waits for the next publish gives back what this one took.
  '--expose-gc',
];
