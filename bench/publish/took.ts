// Measures elapsed time and processor time.

export interface Took {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
}

export async function measure(work: () => Promise<void> | void): Promise<Took> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}
