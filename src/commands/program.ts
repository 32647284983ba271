// The command line: arguments to one command, and its errors to an exit code.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ImportFlags } from './import/import.ts';
import commands from './commands.json' with { type: 'json' };
import type { VerifyFlags } from './log/verify.ts';
import {
  type Config,
  loadConfig,
  loadSharedConfig,
  loadSiteConfig,
  type Site,
  SITES,
} from '../config.ts';
import { InputError, isUnavailable, linesWithoutControls, ReportedError } from '../errors.ts';
import { HIDING_REASONS, REMOVAL_REASONS } from '../model/removal.ts';
import { isDate } from '../model/date.ts';
import { VERSION } from '../version.ts';

const EXIT_FAULT = 1;
const EXIT_INPUT = 2;

// A reader of the output that stops early, as `head` does, must not stop an import. Nor must a full disk.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === EXIT_FAULT) return;
  process.exitCode = EXIT_FAULT;
  process.stderr.write(`the output cannot be written: ${message}\n`);
});
// Nothing can be reported then; the work continues.
process.stderr.on('error', () => undefined);

const program = new Command('public-reviews')
  .description("Publishes a business's verified reviews from its own origin.")
  .version(VERSION)
  .option('--sites <folder>', 'the folder of several sites (default: sites)')
  .option('--site <host>', 'the site that a command is for; all runs it for each')
  .helpCommand(false)
  .exitOverride();

/** The settings of the site that `--site` names, or of one business alone; `without` are variables that count as absent. */
function settings(without: readonly string[] = []): Config {
  const { sites: folder = SITES, site: name } = program.opts<SitesOptions>();
  return name === undefined ? loadConfig(undefined, without) : loadSiteConfig({ folder, name });
}

/** Runs the rest of this command for a site. */
function choose({ name }: Site): void {
  program.setOptionValue('site', name);
}

interface SitesOptions {
  readonly site?: string;
  readonly sites?: string;
}

type Action = (...given: never[]) => Promise<void>;

// Each command loads its own modules: the others would cost it time and memory.
const ACTIONS: Readonly<Record<string, Action>> = {
  serve: async ({ example = false, ...flags }: { example?: boolean; workers: number }) => {
    const { sites } = program.opts<SitesOptions>();
    const config = sites === undefined ? settings() : loadSharedConfig(sites);
    const { createLogger } = await import('./terminal/logger.ts');
    const logger = createLogger(config);
    const { run } = await import('./serve.ts');
    await run(config, logger, { example, ...flags, ...(sites !== undefined && { sites }) });
  },
  init: async (given: string, { force = false }: { force?: boolean }) => {
    const { runInit } = await import('./init.ts');
    const { sites = SITES, site } = program.opts<SitesOptions>();
    const folder = site === undefined || given !== '.' ? given : `${sites}/${site}`;
    const { stdin: input, stdout: output } = process;
    await runInit({ folder, force, input, output, isTerminal: input.isTTY && output.isTTY });
  },
  import: async (given: string[], { map, ...flags }: ImportFlags) => {
    // "import --map FILE" asks for a proposal.
    const isProposal = given.length === 0 && typeof map === 'string';
    const files = isProposal ? [map] : given;
    if (files.length === 0) throw new InputError('expected a file to import, got none');
    const { runImport } = await import('./import/import.ts');
    await runImport(settings(), files, {
      ...flags,
      ...(map !== undefined && { map: isProposal ? true : map }),
    });
  },
  sync: loaded(() => import('./import/sync.ts'), 'runSync'),
  export: loaded(() => import('./export.ts'), 'runExport'),
  backup: loaded(() => import('./store/backup.ts'), 'runBackup'),
  restore: loaded(() => import('./store/restore.ts'), 'runRestore'),
  remove: loaded(() => import('./reviews/remove.ts'), 'runRemove'),
  forget: loaded(() => import('./reviews/remove.ts'), 'runForget'),
  hide: loaded(() => import('./reviews/hide.ts'), 'runHide'),
  show: loaded(() => import('./reviews/hide.ts'), 'runShow'),
  history: loaded(() => import('./reviews/history.ts'), 'showHistory'),
  'business set': loaded(() => import('./business.ts'), 'setBusiness'),
  verify: async (url: string, flags: VerifyFlags) =>
    (await import('./log/verify.ts')).runVerify(url, flags),
  witness: loaded(() => import('./log/witness.ts'), 'runWitness'),
  ...Object.fromEntries(
    (['show', 'rotate', 'retire', 'continue', 'replace'] as const).map((name) => [
      `log ${name}`,
      async (flags: { readonly unchecked?: boolean }) =>
        (await import('./log/log.ts')).runLog(settings(), name, flags),
    ]),
  ),
  'subscriptions list': loaded(() => import('./subscriptions.ts'), 'listAll'),
  'subscriptions remove': loaded(() => import('./subscriptions.ts'), 'removeOne'),
  doctor: async (flags: { json?: boolean }) =>
    (await import('./doctor/doctor.ts')).runDoctor((without) => settings(without), flags),
  status: loaded(() => import('./store/status.ts'), 'showStatus'),
  'sites add': async (host: string, { business, from, ...flags }: AddFlags) => {
    const { addSite } = await import('./sites.ts');
    const { runImport } = await import('./import/import.ts');
    const { setBusiness } = await import('./business.ts');
    await addSite(host, program.opts<SitesOptions>(), async (added) => {
      choose(added);
      const config = settings();
      if (from !== undefined)
        await runImport(config, from, { ...flags, ...(business !== undefined && { business }) });
      else if (business !== undefined) await setBusiness(config, business);
    });
  },
  'sites list': async (flags: { json?: boolean }) =>
    (await import('./sites.ts')).listSites({ ...flags, ...program.opts<SitesOptions>() }),
  'sites move': async (from: string, to: string) =>
    (await import('./sites.ts')).moveSite(from, to, program.opts<SitesOptions>()),
  'sites remove': async (host: string, flags: { yes?: boolean }) =>
    (await import('./sites.ts')).removeSite(host, { ...flags, ...program.opts<SitesOptions>() }),
  'imports list': loaded(() => import('./import/imports.ts'), 'listRecorded'),
  'imports show': loaded(() => import('./import/imports.ts'), 'showRecorded'),
};

interface AddFlags {
  readonly business?: string;
  readonly from?: string[];
}

/** Commands that write into a place: for all sites, into a folder of each. */
const WRITES_TO = new Set(['backup', 'export']);
/** Commands whose answer for all sites is one of its own. */
const FOR_ALL: Readonly<Record<string, (flags: object) => Promise<void>>> = {
  status: async (flags) => (await import('./sites.ts')).listSites(flags),
  doctor: async (flags) => (await import('./sites.ts')).examineSites(flags),
};

/** Runs an action for the sites that `--site` names. */
function onSites(name: string, action: Action): Action {
  return async (...given: unknown[]) => {
    const options = program.opts<SitesOptions>();
    if (options.site === undefined || name === 'serve' || name.startsWith('sites '))
      return action(...(given as never[]));
    const sites = await import('./sites.ts');
    const found = sites.findSites(options, options.site);
    const ofAll = FOR_ALL[name];
    if (options.site !== sites.ALL) return action(...(given as never[]));
    if (ofAll) return ofAll({ ...(given[0] as object), ...options });
    if (name === 'restore' || name === 'init' || name === 'verify')
      throw new InputError(`${name}: expected one site, got "all"`);
    return sites.forEachSite(found, async (each) => {
      choose(each);
      if (name === 'sync' && settings().sources.length === 0) return;
      const [place, ...rest] = given;
      const own = WRITES_TO.has(name) ? await sites.placeOf(String(place), each) : place;
      await action(...([own, ...rest] as never[]));
    });
  };
}

const MANDATORY = ['--author <name>', '--name <name>', '--logs <file>'];
const PARSERS: Readonly<Record<string, (given: string) => unknown>> = {
  '--workers <number>': countTo(64),
  '--keep <number>': countTo(1_000),
  '--limit <number>': countTo(1_000),
  '--dates <how>': parseDates,
  '--scale <from-to>': parseScale,
};
const DEFAULTS: Readonly<Record<string, unknown>> = {
  '--workers <number>': 1,
  '--limit <number>': 20,
  '[dir]': '.',
};

interface CommandWords {
  readonly does: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
}

const groups = new Map<string, Command>();
for (const [path, words] of Object.entries<CommandWords>(commands)) {
  const [first = '', name = first] = path.split(' ');
  const command = (groups.get(first) ?? program).command(name).description(words.does);
  const action = ACTIONS[path];
  if (action === undefined) groups.set(path, command.helpCommand(false));
  else command.action(onSites(path, action) as Parameters<Command['action']>[0]);
  for (const [given, what] of Object.entries(words.arguments ?? {}))
    command.argument(given, what, DEFAULTS[given]);
  for (const [flags, what] of Object.entries(words.options ?? {}))
    command.addOption(optionOf(flags, what, path));
}

/** Runs a function of a module, which is loaded only then, with the settings and what was given. */
function loaded<Name extends string>(
  load: () => Promise<Record<Name, (config: Config, ...given: never[]) => Promise<unknown>>>,
  name: Name,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Options, of which some commands have none, and the command itself.
    const others = (given.at(-1) as Command).options.length === 0 ? 2 : 1;
    await (await load())[name](settings(), ...(given.slice(0, -others) as never[]));
  };
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function optionOf(flags: string, what: string, command: string): Option {
  if (flags === '--reason') {
    const option = new Option(`${flags} <reason>`, what).choices(reasonsOf([command]));
    return option.makeOptionMandatory();
  }
  const option = new Option(flags, what).makeOptionMandatory(MANDATORY.includes(flags));
  const [parser, standard] = [PARSERS[flags], DEFAULTS[flags]];
  if (parser !== undefined) option.argParser(parser);
  return standard === undefined ? option : option.default(standard);
}

function reasonsOf(words: readonly string[]): readonly string[] {
  return words.includes('hide') ? HIDING_REASONS : REMOVAL_REASONS;
}

/** The parser of an integer from 1 to `most`. */
function countTo(most: number) {
  return (given: string): number => {
    const count = Number(given);
    if (/^\d+$/.test(given) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`expected an integer from 1 to ${most}`);
  };
}

function parseDates(given: string): string {
  if (given === 'day-first' || given === 'month-first' || isDate(given)) return given;
  throw new InvalidArgumentError('expected day-first, month-first or a day such as 2024-03-25');
}

function parseScale(given: string): { min: number; max: number } {
  const [, min, max] = /^(-?\d+)-(\d+)$/.exec(given) ?? [];
  if (min !== undefined && Number(min) !== Number(max))
    return { min: Number(min), max: Number(max) };
  throw new InvalidArgumentError('expected the worst and the best rating, such as 1-10');
}

/** Prints an error that was not reported yet, and returns the exit code for it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof ReportedError) {
    return error.exitCode === EXIT_INPUT ? EXIT_INPUT : EXIT_FAULT;
  }
  if (error instanceof CommanderError) {
    const isCurly = error.exitCode !== 0 && process.argv.some((given) => /[“”„«»]/.test(given));
    if (error.message.includes('--reason <reason>'))
      process.stderr.write(`expected one of ${reasonsOf(process.argv).join(', ')}\n`);
    if (isCurly) process.stderr.write('quotes have to be straight: "\n');
    return error.exitCode === 0 ? 0 : EXIT_INPUT;
  }
  if (error instanceof InputError) {
    process.stderr.write(`${linesWithoutControls(error.message)}\n`);
    return EXIT_INPUT;
  }
  const text = isUnavailable(error) ? error.message : error instanceof Error && error.stack;
  process.stderr.write(`${linesWithoutControls(text || String(error))}\n`);
  return EXIT_FAULT;
}
