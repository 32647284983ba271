// The origin of the server in links, feeds and the name of the log.

/** Whether an origin leads nowhere but to this machine, as the default does. */
export function isLocalOrigin(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** The configured origin; else the recorded one if it is public; else the default of this machine. */
export function chooseOrigin(
  configured: string | null,
  recorded: string | null,
  fallback: string,
): string {
  if (configured !== null) return configured;
  return recorded !== null && !isLocalOrigin(recorded) ? recorded : fallback;
}
