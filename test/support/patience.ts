// How long tests wait for a condition before they fail.

/** Generous, so that a loaded machine causes no failures. A wait that succeeds ends at once. */
export const PATIENCE_MS = 300_000;
