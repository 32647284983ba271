// Tells when another connection or this one stored something in the database file, by the events of its log.

import { type FSWatcher, watch } from 'node:fs';
import type { Listener, StoreNotification } from '../engine.ts';

/** A commit is seen some time after its last write, when the disk has it. */
const LOOKS_AFTER_EVENT_MS = [10, 40, 160];
/** Some file systems, as of networks, have no events. */
const LOOK_MS = 1_000;

export class FileListener implements Listener {
  readonly #version: () => string | null;
  readonly #onNotification: (notification: StoreNotification | null) => void;
  readonly #slow: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  #soon: NodeJS.Timeout | null = null;
  #looks = 0;
  #seen: string | null;
  #hasHeard = false;
  #isConnected = false;

  constructor(
    path: string,
    version: () => string | null,
    onNotification: (notification: StoreNotification | null) => void,
  ) {
    this.#version = version;
    this.#onNotification = onNotification;
    this.#seen = version();
    this.#slow = setInterval(() => this.#lookAnyway(), LOOK_MS).unref();
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.#hear());
      this.#watcher.on('error', () => this.#stopWatching());
      this.#isConnected = true;
    } catch {
      // Without events it is polled.
    }
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  close(): Promise<void> {
    clearInterval(this.#slow);
    if (this.#soon) clearTimeout(this.#soon);
    this.#stopWatching();
    return Promise.resolve();
  }

  #stopWatching(): void {
    this.#isConnected = false;
    this.#watcher?.close();
  }

  #hear(): void {
    this.#hasHeard = true;
    this.#looks = 0;
    this.#soon ??= this.#lookSoon();
  }

  #lookSoon(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#look();
      this.#looks += 1;
      this.#soon = this.#looks < LOOKS_AFTER_EVENT_MS.length ? this.#lookSoon() : null;
    }, LOOKS_AFTER_EVENT_MS[this.#looks]).unref();
  }

  #lookAnyway(): void {
    const isUnheard = this.#look() && !this.#hasHeard;
    this.#hasHeard = false;
    if (isUnheard) this.#stopWatching();
  }

  /** Whether something was stored since the last look. */
  #look(): boolean {
    const version = this.#version();
    if (version === this.#seen) return false;
    this.#seen = version;
    this.#onNotification(null);
    return true;
  }
}
