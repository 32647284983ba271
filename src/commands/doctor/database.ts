// Checks of the store: its file, its version, its clock, its content and its subscribers.

import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, storeName } from '../../config.ts';
import { InputError, isUnavailable, messageOf, show, UnavailableError } from '../../errors.ts';
import { type Business, UNNAMED_BUSINESS } from '../../model/business.ts';
import { notesOnBusiness } from '../../model/business-notes.ts';
import { commandName, currentSite, stopServer } from '../../model/command-name.ts';
import { MS_PER_DAY } from '../../model/date.ts';
import { GENERAL, GENERAL_ONLY, verticalIdOf } from '../../model/verticals.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { Database, type SchemaVersion } from '../../store/database.ts';
import {
  inspectFile,
  inspectStore,
  loadLockers,
  type StoreFile,
  type StoreInspection,
  tryToWrite,
} from '../../store/inspect.ts';
import { findObstacle } from '../../publishing/log.ts';
import { isBackup } from '../../store/backup/backup-check.ts';
import { isServed } from '../../store/presence.ts';
import { loadBusiness } from '../../store/reviews/reviews.ts';
import { loadSources } from '../../store/merge/sources.ts';
import { isLost, mendDamage, mendLoss, mendOwner } from '../../store/sqlite/sqlite-errors.ts';
import { findLeft, parentFor } from '../../store/temporary-files.ts';
import { type Finding, formatBytes, ok, warning, wrong } from './finding.ts';
import { checkSources } from './sources.ts';

/** An emptied one keeps 64 MiB. */
const LARGE_WAL_BYTES = 128 * 1024 * 1024;
const SMALL_DISK_BYTES = 100 * 1024 * 1024;
/** A disk that is full sooner is named. */
const FORECAST_DAYS = 90;
/** One missed night, as the alert BackupOld has it. */
const OLD_BACKUP_DAYS = 2;
const MONTH_MS = 30 * MS_PER_DAY;
const LOCK_WAIT_MS = 1_000;
/** Servers whose clocks differ more ignore each other's claims (store/clock.ts). */
const WRONG_CLOCK_MS = 60_000;
const DOUBTFUL_CLOCK_MS = 5_000;

/** What the other checks need to know about the store. */
export interface StoreFacts {
  readonly manifest: Manifest | null;
  readonly origin: string | null;
}

/** Checks the store without creating or migrating it. The facts are null if it cannot be read. */
export async function checkStore(
  { databaseUrl, sources, logKeyFile }: Config,
  nowMs: number,
): Promise<{ readonly findings: readonly Finding[]; readonly facts: StoreFacts | null }> {
  const findings = await checkLeft(databaseUrl);
  let freeBytes: number | null = null;
  const isFile = databaseUrl.startsWith('sqlite:');
  if (isFile) {
    const file = inspectFile(storeName(databaseUrl));
    findings.push(...checkFile(file, !file.exists && (await isServed(databaseUrl))));
    if (!file.exists || isLost(file.path) || !file.isWritable) return { findings, facts: null };
    freeBytes = file.freeBytes;
  }
  try {
    const { database, version } = await Database.openAsIs(databaseUrl, LOCK_WAIT_MS);
    try {
      findings.push(checkVersion(version));
      if (version !== 'current') return { findings, facts: null };
      findings.push(...(await checkLock(database)));
      const inspection = await inspectStore(database, { nowMs, sinceMs: nowMs - MONTH_MS });
      findings.push(...checkContent(inspection, nowMs), ...checkForecast(inspection, freeBytes));
      findings.push(...checkBackups(inspection, nowMs));
      findings.push(checkBusiness(await loadBusiness(database.read)));
      findings.push(...checkSources(sources, await loadSources(database.read), nowMs));
      const { manifest: json, state } = inspection.status;
      const manifest = json === null ? null : (JSON.parse(json) as Manifest);
      const obstacle = await findObstacle(database, logKeyFile);
      findings.push(checkTransparencyLog(obstacle));
      return { findings, facts: { manifest, origin: state.origin } };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof InputError || error instanceof UnavailableError)) throw error;
    const isLocked = error.message.includes('is locked');
    const [, mend = ACTION_FOR_POSTGRES] =
      /: ((?:give its tables|stop all servers|if this site).*)$/.exec(error.message) ?? [];
    const ofPostgres = isLocked ? 'end the session that "lock" or pg_locks names' : mend;
    const action = isFile ? actionForFile(error, storeName(databaseUrl)) : ofPostgres;
    const message = error.message.replace(`: ${action}`, '');
    return { findings: [...findings, wrong('database', message, action)], facts: null };
  }
}

const ACTION_FOR_POSTGRES =
  'check DATABASE_URL, and that PostgreSQL runs and lets this user in: psql "$DATABASE_URL" shows why not';

function actionForFile({ message }: Error, path: string): string {
  if (/cannot be read or written|is full/.test(message))
    return 'make room on its disk; if there is room, check the disk and the permissions of the folder';
  if (message.endsWith(': restart the server')) return 'restart it: it has all that the file had';
  if (message.includes('was replaced'))
    return 'end all that use it, remove those two files, and start the server again';
  return message.includes('is damaged')
    ? mendDamage(path)
    : 'check DATABASE_URL: it has to name a file that "serve", "import" or "restore" made';
}

/** `file` is what was measured; `isUsed`: a server uses the store that was there. */
export function checkFile({ path, exists, ...file }: StoreFile, isUsed = false): Finding[] {
  if (isUsed) {
    const action = `put it back, or ${stopServer()} and run: ${commandName()} restore BACKUP`;
    return [wrong('database', `${path} was moved away from under a running server`, action)];
  }
  if (isLost(path))
    return [wrong('database', `the store at ${path} is lost or empty`, mendLoss(path))];
  if (!exists && currentSite() !== null) {
    const action = `run: ${commandName()} import FILE, or open its address`;
    return [warning('database', 'nothing was imported into this site yet', action)];
  }
  if (!exists) {
    const message = `there is no store at ${path}`;
    const action =
      'run the command in the folder of the store or set DATABASE_URL; for a new store run import or serve';
    return [wrong('database', message, action)];
  }
  const findings: Finding[] = [];
  if (!file.isWritable) {
    findings.push(wrong('permissions', `this user may not write ${path}`, mendOwner(path)));
  } else if ((file.mode & 0o077) !== 0) {
    const message = `other users may read ${path}, which has secrets of subscribers and unpublished reviews`;
    const action = `run: chmod 600 ${path}`;
    findings.push(warning('permissions', message, action));
  } else findings.push(ok('permissions', `only its owner reads ${path}`));
  // The log may have everything.
  const bytes = file.bytes + file.walBytes;
  findings.push(checkDisk({ ...file, bytes }), checkLog(path, file.walBytes));
  return findings;
}

/** When the disk of an SQLite store is full, if the store goes on to grow as in the last month. */
export function checkForecast(
  { grownBytes }: StoreInspection,
  freeBytes: number | null,
): Finding[] {
  if (grownBytes === null || grownBytes === 0 || freeBytes === null) return [];
  const days = Math.floor((freeBytes / grownBytes) * 30);
  const message = `lasts ${days > 3_650 ? 'more than ten years' : `${days} days`} if reviews come as in the last 30 days`;
  if (days >= FORECAST_DAYS) return [ok('disk forecast', message)];
  return [warning('disk forecast', message, 'enlarge the disk, or move old backups off it')];
}

type BackupFacts = Pick<StoreInspection, 'status' | 'kind'>;

/** Whether there is a backup, how old it is, and whether its file is still there and whole. */
export function checkBackups({ status, kind }: BackupFacts, nowMs: number): Finding[] {
  const { backedUpAtMs, backedUpTo, example } = status.state;
  if (example || status.reviews === 0) return [];
  const days = Math.floor((nowMs - (backedUpAtMs ?? -Infinity)) / MS_PER_DAY);
  // One of several machines makes the backups.
  const isElsewhere = kind === 'postgres' && !existsSync(backedUpTo ?? '');
  const [fault, mend] = backedUpTo === null || isElsewhere ? [''] : faultOf(backedUpTo);
  const file = `${backedUpTo ?? 'a file that was not recorded'}${fault}`;
  const made = `the last one was made ${days} days ago: ${file}`;
  const message = backedUpAtMs === null ? 'none was made of this store' : made;
  if (days <= OLD_BACKUP_DAYS && fault === '') return [ok('backup', message)];
  const other = kind === 'postgres' ? '; nothing, if PostgreSQL itself is backed up' : '';
  const action = `run: ${commandName()} backup DIR --keep 7 --verify; on a server each night, by deploy/public-reviews-backup.timer or cron${other}`;
  return [warning('backup', message, mend ?? action)];
}

/** What is wrong with the file of a backup, and the mend if it is no new one: SQLite opens none that is cut. */
function faultOf(path: string): [fault: string, mend?: string] {
  try {
    accessSync(path, constants.R_OK);
    if ((statSync(path).mode & 0o077) !== 0)
      return [', which others may read', `run: chmod 600 ${path}`];
    return [isBackup(path) ? '' : ', which is cut, damaged or another file'];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [', which is gone'];
    const mend = 'give it and its folder to the user of the server, with chown';
    return [`, which this user cannot read (${code})`, mend];
  }
}

/** A large import or a restore writes the store once more into the log. */
function checkDisk({ bytes, freeBytes }: Pick<StoreFile, 'bytes' | 'freeBytes'>): Finding {
  const message = `${formatBytes(freeBytes)} free beside a store of ${formatBytes(bytes)}`;
  const action = 'make room on the disk of the store; docs/sizes.md says how much it needs';
  if (freeBytes < Math.min(bytes, SMALL_DISK_BYTES)) return wrong('disk', message, action);
  if (freeBytes < Math.max(2 * bytes, SMALL_DISK_BYTES)) return warning('disk', message, action);
  return ok('disk', message);
}

function checkLog(path: string, walBytes: number): Finding {
  if (walBytes <= LARGE_WAL_BYTES)
    return ok('write-ahead log', `${formatBytes(walBytes)} to be moved into the store`);
  const message = `${path}-wal has ${formatBytes(walBytes)}, which are not moved into the store`;
  const action = `end what keeps the database open, which "fuser -v ${path}" names, and restart the server`;
  return warning('write-ahead log', message, action);
}

/** Whether imports and the hub can write. What PostgreSQL refuses, `permissions` says. */
async function checkLock(database: Database): Promise<Finding[]> {
  const file = database.fileBeside('');
  try {
    await tryToWrite(database);
    return [ok('lock', 'nobody keeps others from writing')];
  } catch (error) {
    if (file !== null && !isUnavailable(error)) throw error;
    if (file !== null)
      return [warning('lock', messageOf(error), `what has it, names: fuser -v ${file}`)];
    const lockers = await loadLockers(database.read);
    const action = `end the session with the process id ${lockers}: psql "$DATABASE_URL" -c "select pg_terminate_backend(ID)"`;
    return lockers === null ? [] : [warning('lock', messageOf(error), action)];
  }
}

/** Names what killed processes left, and copies that restores and upgrades left beside a file. */
async function checkLeft(databaseUrl: string): Promise<Finding[]> {
  const parent = parentFor(databaseUrl);
  const status = `run: ${commandName()} status, or start the server: each removes it`;
  const left = (await findLeft(parent)).map((name) => {
    const message = `a killed command left ${join(parent, name)}, which may have a copy of the whole store`;
    return warning('leftovers', message, status);
  });
  if (!databaseUrl.startsWith('sqlite:') || !existsSync(parent)) return left;
  const action = 'delete it when the store is sound, or move it to where your backups are';
  const pathOf = (name: string) => join(parent, name);
  const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : path);
  // The store itself may be a backup that was copied into place, or have such a name.
  const store = realPath(pathOf(basename(databaseUrl.slice('sqlite:'.length))));
  const copies = readdirSync(parent).filter(
    (name) =>
      realPath(pathOf(name)).replace(/-(wal|shm|wal-of|signed)$/, '') !== store &&
      (name.startsWith('damaged') || isBackup(pathOf(name))),
  );
  const message = (name: string) =>
    `${pathOf(name)} has secrets, and may have texts that are erased since`;
  return [...left, ...copies.map((name) => warning('leftovers', message(name), action))];
}

function checkVersion(version: SchemaVersion): Finding {
  if (version === 'none') {
    const action = `check DATABASE_URL; if a store was there, stop all servers and run: ${commandName()} restore BACKUP; for a new store run import or serve`;
    return wrong('version', 'the database is empty: nothing was ever stored in it', action);
  }
  if (version === 'current') return ok('version', 'the store has the schema of this version');
  if (version === 'older') {
    const message =
      'an older version wrote the store; the next start migrates it, after which older versions refuse it';
    const action = 'back up with the older version first, then start the server';
    return warning('version', message, action);
  }
  const action = 'run that version or a newer one, or restore a backup made before the upgrade';
  return wrong('version', 'a newer version wrote the store', action);
}

export function checkContent(inspection: StoreInspection, nowMs: number): Finding[] {
  const { clockAheadMs, status } = inspection;
  return [
    ...checkPrivileges(inspection),
    checkIntegrity(inspection),
    checkClock(clockAheadMs, status.manifest, nowMs),
    checkPublished(inspection),
    ...checkImports(inspection),
    ...checkErasure(inspection),
    checkSizes(inspection),
    checkDeliveries(inspection),
  ];
}

/** Those of a file are checked before it is opened. */
function checkPrivileges({ kind, obstacle }: StoreInspection): Finding[] {
  if (kind === 'sqlite') return [];
  if (obstacle === null) return [ok('permissions', 'this user may write the database')];
  const action =
    'name the primary server in DATABASE_URL, and a user who owns the tables or has all rights on them and on ' +
    'the database; a default is changed back by: alter database NAME reset default_transaction_read_only';
  return [wrong('permissions', `the database cannot be written: ${obstacle}`, action)];
}

function checkIntegrity({ kind, damage }: StoreInspection): Finding {
  if (kind === 'postgres') return ok('integrity', 'is left to PostgreSQL');
  if (damage === null) return ok('integrity', 'the database is intact');
  return wrong('integrity', `the database is damaged: ${damage}`, mendDamage('the file'));
}

/** `obstacle` says why the log is not signed, and then what to do. */
export function checkTransparencyLog(obstacle: string | null): Finding {
  const check = 'transparency log';
  if (obstacle === null) return ok(check, 'its entries lead to its tree, and its key is there');
  const [message = '', ...rest] = obstacle.split('. ');
  return wrong(check, message, rest.join('. '));
}

function checkClock(aheadMs: number, manifest: string | null, nowMs: number): Finding {
  const action =
    'synchronise the clock of each machine with a time server, for example with: timedatectl set-ntp true';
  if (Math.abs(aheadMs) > DOUBTFUL_CLOCK_MS) {
    const direction = aheadMs > 0 ? 'ahead of' : 'behind';
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const message = `this machine's clock is ${seconds} s ${direction} the database's`;
    return (Math.abs(aheadMs) > WRONG_CLOCK_MS ? wrong : warning)('clock', message, action);
  }
  const publishedMs = manifest === null ? 0 : (JSON.parse(manifest) as Manifest).publishedAt * 1000;
  if (publishedMs > nowMs + WRONG_CLOCK_MS) {
    const time = new Date(publishedMs).toISOString();
    const message = `the store was published at ${time}, which is in the future of this machine's clock`;
    const wait =
      'if this clock is right, wait: until then "verify" tells that, and nothing else is wrong';
    return warning('clock', message, `${wait}. If not, ${action}`);
  }
  return ok('clock', 'agrees with the store');
}

function checkPublished({ status }: StoreInspection): Finding {
  const { state, reviews, verified, hidden, imports } = status;
  if (state.publishedVersion < state.contentVersion) {
    const failed = imports.find(({ outcome }) => outcome === 'publish failed');
    const action =
      'start the server or import again: both publish; /readyz and the log say if it fails';
    if (!failed) return warning('published', 'changes are not published yet', action);
    const message = `the last publish failed: ${failed.error}`;
    return wrong('published', message, `do what it says; then ${action}`);
  }
  if (state.example) {
    const action = 'import your reviews, or serve without --example';
    return warning('published', 'the store has the example business', action);
  }
  if (verified === 0) {
    const stored = `${reviews} reviews are stored, none is verified`;
    const action = 'import them with --verified-by and how you know that they are by customers';
    return warning('published', reviews === 0 ? 'there are no reviews' : stored, action);
  }
  return ok('published', `${verified - hidden} of ${reviews} reviews`);
}

/** Whether the last import of files took all rows. Those of sources are checked apart. */
function checkImports({ status }: StoreInspection): Finding[] {
  const last = status.imports.find(({ command }) => command === 'import');
  if (!last) return [];
  const { number, outcome, error, report } = last;
  const isForeign = error?.includes('this user may not read') === true;
  const mend = isForeign ? 'give the file to this user, with chown,' : 'mend the file';
  const action = `${mend} and import it again; see: ${commandName()} imports show ${number}`;
  if (outcome === 'failed') return [warning('import', `the last one failed: ${error}`, action)];
  const message = `the last one refused ${report.refused} of ${report.rows} rows`;
  return [report.refused > 0 ? warning('import', message, action) : ok('import', message)];
}

function checkErasure({ status }: StoreInspection): Finding[] {
  if (status.state.erasingVersion === null) return [];
  const message =
    'texts of removed reviews remain in the store: "remove" or "forget" was interrupted, or still runs';
  const action = `run: ${commandName()} status, or start the server: each erases them`;
  return [warning('erasure', message, action)];
}

export function checkBusiness(business: Business): Finding {
  const { name, vertical } = business;
  if (name === UNNAMED_BUSINESS.name) {
    const message = `there is none, so pages say "${name}", and ${GENERAL_ONLY}`;
    const action = `run: ${commandName()} init, which asks for its kind; then: ${commandName()} business set business.json`;
    return warning('business', message, action);
  }
  const notes = notesOnBusiness(business, vertical);
  if (notes.length > 0) {
    const action = `correct the file, and run: ${commandName()} business set business.json`;
    return warning('business', `${show(name)}: ${notes.join('; ')}`, action);
  }
  const rest = verticalIdOf(vertical) === GENERAL ? `, in which ${GENERAL_ONLY}` : '';
  return ok('business', `${show(name)} in the vertical ${vertical}${rest}`);
}

function checkSizes({ sizeBytes, status, addedRecently }: StoreInspection): Finding {
  const added = `${addedRecently} reviews added in the last 30 days`;
  return ok('sizes', `${status.reviews} reviews, ${formatBytes(sizeBytes)}; ${added}`);
}

function checkDeliveries({ status, failing }: StoreInspection): Finding {
  const active = status.subscriptions.reduce((sum, each) => sum + each.active, 0);
  const message = `deliveries to ${failing} of ${active} subscriptions fail`;
  if (active === 0 || failing === 0)
    return ok('hub', `${active} subscriptions, none of them fails`);
  const action = `see their errors with: ${commandName()} subscriptions list; if all fail, allow outgoing HTTPS and DNS for the server`;
  return failing === active ? wrong('hub', message, action) : warning('hub', message, action);
}
