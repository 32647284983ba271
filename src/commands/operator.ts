// Who runs a command.

import { hostname, userInfo } from 'node:os';
import type { ImportOrigin } from '../store/merge/imports.ts';

/** A command that starts now, for the record of what it does. */
export function originOf(command: string): ImportOrigin {
  return { command, operator: operatorName(), startedAtMs: Date.now() };
}

/** The user and the host, such as `reviews@web-1`; a user without a name is its number. */
export function operatorName(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no entry in the list of users.
    return String(process.getuid?.() ?? 'unknown');
  }
}
