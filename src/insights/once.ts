// Lazy values.

/** A function that computes its value on the first call and returns the same value from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
