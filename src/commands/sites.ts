// Several businesses of one machine: commands for one of them or for all, and `sites`, which adds, lists, moves and
// removes them. A site is a folder with the settings, the store and the keys of one business, as one alone has them.

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSiteConfig, SETTINGS_FILE, type Site, siteNames, SITES } from '../config.ts';
import {
  InputError,
  isUnavailable,
  messageOf,
  ReportedError,
  show,
  withoutControls,
} from '../errors.ts';
import { forSite } from '../model/command-name.ts';
import { hostnameOf } from '../model/host-names.ts';
import { schemaOf, withSchema } from '../model/schema-name.ts';
import { Database, used } from '../store/database.ts';
import { loadOverview } from '../store/status.ts';
import { checkBackups } from './doctor/database.ts';
import { diagnose } from './doctor/doctor.ts';
import { askInTerminal } from './terminal/questions.ts';
import { renderTable } from './terminal/table.ts';

const EXIT_FAULT = 1;
/** Means every site. */
export const ALL = 'all';

interface SitesFlags {
  readonly sites?: string;
}

/** Sites of a folder by the names of theirs. @throws {InputError} if there are none, or not the wanted one. */
export function findSites({ sites: folder = SITES }: SitesFlags, wanted = ALL): Site[] {
  const names = existsSync(folder) ? siteNames(folder) : [];
  const found = names.filter((name) => wanted === ALL || name === wanted);
  if (found.length > 0) return found.map((name) => ({ folder, name }));
  const others = names.length === 0 ? 'none' : names.slice(0, 10).join(', ');
  throw new InputError(
    `expected the name of a folder in ${show(folder)}, such as reviews.example.com, got ${show(wanted)}; there are: ${others}`,
  );
}

/** Runs a command for each site. One that fails is reported, and keeps no other from its turn. @throws {ReportedError} after all */
export async function forEachSite(
  sites: readonly Site[],
  run: (site: Site) => Promise<void>,
): Promise<void> {
  let hasFailed = false;
  for (const site of sites) {
    process.stdout.write(`${site.name}:\n`);
    try {
      await forSite(site.name, () => run(site));
    } catch (error) {
      if (!(error instanceof ReportedError)) {
        const isExpected = error instanceof InputError || isUnavailable(error);
        const text = isExpected ? messageOf(error) : String((error as Error).stack);
        process.stderr.write(`${site.name}: ${withoutControls(text)}\n`);
      }
      hasFailed = true;
    }
  }
  if (hasFailed) throw new ReportedError(EXIT_FAULT);
}

/** @throws {InputError} if the name is no host name in lower case, or there is such a site */
export async function addSite(
  host: string,
  { sites: folder = SITES }: SitesFlags,
  fill: (site: Site) => Promise<void>,
): Promise<void> {
  requireFree(folder, host);
  const site = { folder, name: host };
  const path = join(folder, host, SETTINGS_FILE);
  await mkdir(join(folder, host), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify({ base_url: `https://${host}` }, null, 2)}\n`, {
    flag: 'wx',
  });
  process.stdout.write(`wrote ${path}\n`);
  try {
    await forSite(host, () => fill(site));
  } catch (error) {
    await rm(join(folder, host), { recursive: true });
    process.stdout.write(`removed ${join(folder, host)} again\n`);
    if (!(error instanceof InputError)) throw error;
    // What a message says to run would import into a store of no site.
    const imports = /^((?:next|then): .*?) import (?!.* --map > )/gm;
    const message = error.message.replaceAll(` --site ${host}`, '');
    throw new InputError(message.replace(imports, `$1 sites add ${host} --from `));
  }
}

function requireFree(folder: string, host: string): void {
  if (hostnameOf(`http://${host}`) !== host || host === ALL) {
    throw new InputError(`expected a host name such as reviews.example.com, got ${show(host)}`);
  }
  if (existsSync(join(folder, host))) {
    throw new InputError(`${join(folder, host)}: expected a new site, got one that exists`);
  }
}

/** Prints the sites with what an agency looks at first. */
export async function listSites(flags: SitesFlags & { readonly json?: boolean }): Promise<void> {
  const nowMs = Date.now();
  const rows = [];
  for (const site of findSites(flags))
    rows.push(await forSite(site.name, () => overviewOf(site, nowMs)));
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const table = rows.map(({ site, business, reviews, rating, newest_review, needs }) => ({
    site,
    business,
    // Of a site whose settings or store cannot be read they are not known.
    reviews: business === '' ? '-' : String(reviews),
    stars: rating?.toFixed(1) ?? '-',
    newest: newest_review ?? '-',
    'needs a hand': needs.join('; '),
  }));
  process.stdout.write(renderTable(table));
}

async function overviewOf(site: Site, nowMs: number) {
  const empty = {
    site: site.name,
    business: '',
    reviews: 0,
    rating: null as number | null,
    newest_review: null as string | null,
  };
  try {
    const { databaseUrl, sources } = loadSiteConfig(site);
    if (!(await Database.exists(databaseUrl))) return { ...empty, needs: ['import reviews'] };
    const database = await Database.open(databaseUrl);
    const { failing, failure, status, ...found } = await used(database, (open) =>
      loadOverview(open, nowMs),
    );
    const backups = checkBackups({ status, kind: database.kind }, nowMs);
    const needs = [
      ...(found.reviews > 0
        ? []
        : [status.hidden > 0 ? `show who agreed: ${status.hidden} are hidden` : 'import reviews']),
      ...failing
        .filter((name) => sources.some((source) => source.name === name))
        .map((name) => `source ${name} fails`),
      ...(failure === null ? [] : [`the last import failed: ${failure}`]),
      ...backups.flatMap((of) => (of.action === null ? [] : `backup: ${of.message}`)),
    ];
    return { site: site.name, ...found, needs };
  } catch (error) {
    return { ...empty, needs: [messageOf(error)] };
  }
}

/** Prints what `doctor` finds wrong or doubtful at each site. @throws {ReportedError} if anything is wrong */
export async function examineSites(flags: SitesFlags & { readonly json?: boolean }): Promise<void> {
  const all: Record<string, unknown> = {};
  let isWrong = false;
  for (const site of findSites(flags)) {
    const findings = await forSite(site.name, () =>
      diagnose(() => loadSiteConfig(site), Date.now()),
    );
    const notable = findings.filter(({ status }) => status !== 'ok');
    isWrong ||= notable.some(({ status }) => status === 'wrong');
    all[site.name] = notable;
    if (flags.json === true) continue;
    process.stdout.write(`${site.name}: ${notable.length === 0 ? 'ok' : ''}\n`);
    for (const { status, check, message, action } of notable) {
      const mend = action === null ? '' : ` -> ${action}`;
      process.stdout.write(`  ${withoutControls(`${status}  ${check}: ${message}${mend}`)}\n`);
    }
  }
  if (flags.json === true) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  if (isWrong) throw new ReportedError(EXIT_FAULT);
}

/** Gives a site another host: its reviews, ids and log stay, and its old host becomes an alias. */
export async function moveSite(from: string, to: string, flags: SitesFlags): Promise<void> {
  const { folder, name } = siteOf(flags, from);
  requireFree(folder, to);
  const path = join(folder, name, SETTINGS_FILE);
  const before: object = existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : {};
  const { databaseUrl, aliases: others } = loadSiteConfig({ folder, name });
  const aliases = [...others, name].filter((host) => host !== to);
  const settings = { ...before, base_url: `https://${to}`, aliases };
  await writeFile(`${path}.new`, `${JSON.stringify(settings, null, 2)}\n`);
  await rename(`${path}.new`, path);
  // A server makes a new store for a folder whose schema is not there. On another one both may be there already.
  const isOfFolder = databaseUrl.startsWith('postgres') && !('database_url' in before);
  const next = isOfFolder ? withSchema(databaseUrl, to) : databaseUrl;
  if (isOfFolder && !(await Database.exists(next)))
    await used(await Database.open(databaseUrl), (store) => store.rename(schemaOf(next) ?? to));
  await rename(join(folder, name), join(folder, to));
  process.stdout.write(`moved ${name} to https://${to}; ${name} redirects there\n`);
}

/** Deletes a site with its store and its keys, after asking if there is a terminal. @throws {InputError} if nobody can be asked */
export async function removeSite(
  host: string,
  flags: SitesFlags & { readonly yes?: boolean },
  ask = askInTerminal(),
): Promise<void> {
  const { folder, name } = siteOf(flags, host);
  const path = join(folder, name);
  if (flags.yes !== true) {
    if (!ask)
      throw new InputError(`expected --yes, or a terminal to ask whether to delete ${path}`);
    if (!(await ask(`Delete ${path} with its reviews and keys for good? [y/N] `))) {
      process.stdout.write('nothing was removed\n');
      return;
    }
  }
  const { databaseUrl } = loadSiteConfig({ folder, name });
  // A server gives up a site whose folder is gone.
  const trash = join(folder, `.removed-${name}`);
  await rename(path, trash);
  if (databaseUrl.startsWith('postgres'))
    await used(await Database.open(databaseUrl), (store) => store.drop());
  await rm(trash, { recursive: true });
  process.stdout.write(`removed ${path}; backups elsewhere stay\n`);
}

function siteOf(flags: SitesFlags, name: string): Site {
  const [site] = name === ALL ? [] : findSites(flags, name);
  if (site === undefined) throw new InputError(`expected one site, got ${show(name)}`);
  return site;
}

/** The place of a site's files where a command for all sites writes. */
export async function placeOf(place: string, { name }: Site): Promise<string> {
  const own = join(place, name);
  await mkdir(own, { recursive: true, mode: 0o700 });
  return own;
}
