// URLs of databases: which are valid, and how messages name them.

import { resolve } from 'node:path';

/** Parameters of a PostgreSQL URL, such as `?sslmode=require`, are checked when it is opened. */
export function isDatabaseUrl(url: string): boolean {
  if (!/^postgres(?:ql)?:/.test(url)) return /^sqlite:(?!:memory:$)./.test(url);
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, hash } = new URL(url);
  return hostname !== '' && /^\/[^/]+$/.test(pathname) && hash === '';
}

/** Masks everything between "//" and the last "@": an unescaped password may contain any character. */
export function withoutPassword(value = ''): string {
  return value.replace(/^(postgres\w*:\/\/).*@/is, '$1***@');
}

/** The absolute path of an SQLite file, or a PostgreSQL URL without its password. */
export function storeName(databaseUrl: string): string {
  const path = /^sqlite:(.*)$/s.exec(databaseUrl)?.[1];
  return path === undefined ? withoutPassword(databaseUrl) : resolve(path);
}
