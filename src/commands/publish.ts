// Publishes what a command stored, and says what it means for the command if that fails.

import { currentManifest } from '../publishing/load.ts';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { zstdDecompressSync } from 'node:zlib';
import {
  isUnavailable,
  linesWithoutControls,
  UnavailableError,
  messageOf,
  show,
} from '../errors.ts';
import { MARKER } from '../hosting/folder.ts';
import { commandName } from '../model/command-name.ts';
import type { Insights } from '../model/insights.ts';
import { ROUTES } from '../model/routes.ts';
import { isLocalOrigin } from '../model/origin.ts';
import { publishPending } from '../publishing/run/2-claim.ts';
import type { Published } from '../publishing/run/messages.ts';
import { type Manifest, partName } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import { recordPublishFailure } from '../store/merge/imports.ts';
import { isServed } from '../store/presence.ts';
import { loadBusiness } from '../store/reviews/reviews.ts';
import { readCurrentSnapshot } from '../store/snapshots/snapshots.ts';
import { loadState, saveAuthors, saveOrigin } from '../store/state.ts';

const POLL_MS = 100;
/** Larger insights are not read for a note. */
const MOST_READ_BYTES = 64 * 1024 * 1024;
/** A server begins to publish within this time. */
const SERVER_BEGINS_MS = 1_000;

/** Publishes; records a failure in the record `number`. `explain` makes the operator's error of it. */
export async function publishImport(
  config: Config,
  database: Database,
  number: number | null,
  publish = publishPending,
  explain = notPublished,
): Promise<void> {
  if (process.stderr.isTTY) process.stderr.write('publishing ...\n');
  await recordSettings(database, config);
  const publishing = {
    publisherId: randomUUID(),
    // With PORT=0 no server has chosen a port yet.
    defaultOrigin: config.baseUrl ?? `http://localhost:${config.port || 8080}`,
    logKeyFile: config.logKeyFile,
    siteLanguage: config.siteLanguage ?? undefined,
    people: config.people,
  };
  const onPublished = ({ omitted }: Published) => {
    for (const { what, reason } of omitted) {
      const text = `published without the ${what}, which failed: ${reason}`;
      process.stderr.write(`${linesWithoutControls(text)}\n`);
    }
  };
  try {
    if (await isServed(config.databaseUrl)) await leaveToServer(database);
    while (!(await publish(database, config.databaseUrl, publishing, { onPublished }))) {
      await sleep(POLL_MS);
    }
  } catch (error) {
    const failure = explain(messageOf(error), error);
    if (number !== null) {
      // The store may be what failed; the operator needs the first error.
      await recordPublishFailure(database, number, messageOf(error)).catch(() => undefined);
    }
    throw failure;
  }
}

/** Names the people of the business whom no published review mentions: a note or a slip may be in the name. */
export async function noteUnnamed({ people }: Config, database: Database): Promise<void> {
  const insights = await readCurrentSnapshot(database, async ({ manifest, chunksOf }) => {
    const { documents } = JSON.parse(manifest) as Manifest;
    const document = documents[ROUTES.getInsights.path];
    if ((document.bytes ?? 0) > MOST_READ_BYTES) return null;
    const name = partName(document, 'zstd');
    const json = zstdDecompressSync(Buffer.concat(await Array.fromAsync(chunksOf(name))));
    return JSON.parse(json.toString()) as Insights;
  });
  if (insights === null || people?.mode === 'off') return;
  const named = new Set(insights.entities.technicians.map(({ id }) => id));
  const { technicians } = await loadBusiness(database.read);
  const unnamed = technicians.filter(({ id, active }) => active && !named.has(id));
  if (unnamed.length === 0) return;
  const names = linesWithoutControls(unnamed.map(({ name }) => show(name)).join(', '));
  process.stderr.write(
    `note: no published review names ${names}; other names of a person are "aliases" in the business file\n`,
  );
}

/** Waits until a server, whose publish process may already be there, has published or has had the time to begin. */
export async function leaveToServer(
  database: Database,
  beginsMs = SERVER_BEGINS_MS,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < beginsMs; waitedMs += POLL_MS) {
    const { contentVersion, publishedVersion } = await loadState(database.read);
    if (publishedVersion >= contentVersion) return;
    await sleep(POLL_MS);
  }
}

/** Records how authors are shown, and BASE_URL, unless a server has recorded a public origin. */
export async function recordSettings(
  database: Database,
  { authors, baseUrl }: Config,
): Promise<void> {
  await saveAuthors(database, authors);
  const { origin } = await loadState(database.read);
  if (baseUrl === null || (origin !== null && !isLocalOrigin(origin))) return;
  const published = (await currentManifest(database))?.origin ?? null;
  await saveOrigin(database, baseUrl, published);
}

/** What to do for files on a web space, if the pages have a public address or an export is here; else nothing. */
export async function exportHint({ trustProxy }: Config, database: Database): Promise<string> {
  const { origin } = await loadState(database.read);
  const [made] = globSync(`*/${MARKER}`).map((path) => ` ${dirname(path)}`);
  // With a proxy, this server is what readers reach.
  const isServer = origin === null || isLocalOrigin(origin) || trustProxy !== false;
  if (made === undefined && isServer) return '';
  return `files on a web space: "${commandName()} export${made ?? ' public'}" again, empty the folder there, and upload; at Netlify and Cloudflare delete older deploys, which still have what was taken away\n`;
}

/** Says what is stored after an import whose publish failed, and what to do. */
function notPublished(reason: string, cause: unknown): UnavailableError {
  const isRefused = (cause as Error).name === 'LogRefusal';
  const again = isRefused ? '' : ' A server or the next import publishes again.';
  // A full disk and the log refuse any content.
  const undo =
    isRefused || isUnavailable(cause)
      ? ''
      : ' To undo this import, import the previous business file and the previous reviews with --prune.';
  const message = `Imported, not published: ${reason}\nReaders get what was published before.${again}${undo}`;
  return new UnavailableError(message, { cause });
}
