// Operations on the text of URLs: appending parameters, comparing and logging.

/** Appends parameters to a path and query, which stay byte for byte (WebSub, section 5.1.1). */
export function withParameters(
  path: string,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const appended = parameters
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!path.includes('?')) return `${path}?${appended}`;
  return /[?&]$/.test(path) ? `${path}${appended}` : `${path}&${appended}`;
}

/**
 * The normal form in which two URLs are compared: unreserved characters are decoded (section 5.1.1), and
 * scheme and host are in lower case (RFC 3986, section 6.2.2).
 */
export function normalized(url: string): string {
  return url
    .replace(/%([0-9a-f]{2})/gi, (encoded, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16));
      return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/^[a-z]+:\/\/[^/?#]*/i, (start) => start.toLowerCase());
}

/** The URL of a callback for logs and operators: without its query, which may hold a secret. */
export function withoutQuery(href: string): string {
  const [shown = '', query] = href.split('?', 2);
  return query === undefined ? shown : `${shown}?...`;
}
