// How long tests wait for a condition before they give up.

/** Generous: a wait that succeeds ends at once, and a loaded machine is slow, not wrong. */
export const PATIENCE_MS = 120_000;
