// Merges an import into the store: its rows are staged in a temporary table, then merged in one
// transaction.

import { InputError, show } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import type { HeaderPicture, Logo } from '../../model/business-pictures.ts';
import { saveBusiness } from '../business.ts';
import type { Database } from '../database.ts';
import { CONTENT_LOCK, type Executor } from '../engine.ts';
import { type ImportRecord, type MergeCounts, recordMerge } from './imports.ts';
import { hideIn } from '../reviews/removals.ts';
import { hasContent } from '../reviews/reviews.ts';
import { keepReplaced } from '../reviews/history.ts';
import { deleteOrphans, findCopies, mergeStagedCopies, rememberIdentities } from './identities.ts';
import { makePlan, type MergePlan } from './merge-plan.ts';
import type { NamedDuplicate } from './near-duplicates.ts';
import type { ImportedReview, StagedRow } from '../reviews/review-rows.ts';
import { createStagingTables, stagedRow } from './staging-tables.ts';
import { loadState, requestPublishIn } from '../state.ts';
import type { Gone } from './staged.ts';
import { countHidden, hideNew, keepLast, listUnverified, prune, upsertChanged } from './staged.ts';

/** Rows per INSERT: SQLite accepts 32,766 values in a statement, PostgreSQL 65,535. */
const BATCH_ROWS = 500;

const NOTHING: MergeCounts = {
  added: 0,
  updated: 0,
  unchanged: 0,
  duplicate: 0,
  suppressed: 0,
  removed: 0,
  unverified: 0,
  hidden: 0,
};

export interface MergeOptions {
  /** The new business; null keeps the stored one. */
  readonly business: Business | null;
  /** The file of its logo; without one, `logo_url` has the address. */
  readonly logo?: Logo | null;
  /** The file of the picture at the top of the first page. */
  readonly header?: HeaderPicture | null;
  /** Whether to delete stored reviews of the import's sources that are not in the import. */
  readonly prune: boolean;
  readonly hides?: boolean;
  /** Is told what would be pruned, while the store is not locked; fails if it must not be. */
  readonly onPrune?: (gone: readonly Gone[]) => void | Promise<void>;
  readonly dryRun: boolean;
  readonly example: boolean;
  /** What the transaction records of the import; null records nothing. */
  readonly record: ImportRecord | null;
}

/** The staged rows of an import, in temporary tables that only its own connection sees. */
export class Staging {
  readonly #database: Database;
  #batch: StagedRow[] = [];
  #sequence = 0;
  /** Stored reviews whose authors do not agree any more that they are shown. */
  readonly #disagreed = new Set<string>();
  /** The number of the record of this import; null before `merge`, and if nothing is recorded. */
  importNumber: number | null = null;
  /** New reviews that are like others; empty before `merge`. */
  nearDuplicates: readonly NamedDuplicate[] = [];
  /** What changed of reviews and of the business, in words; empty before `merge`. */
  changes: readonly string[] = [];

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Runs `work` with a new, empty staging on a connection of its own. */
  static use<T>(database: Database, work: (staging: Staging) => Promise<T>): Promise<T> {
    return database.withConnection(async (connection) => {
      await createStagingTables(connection.read.schema);
      return work(new Staging(connection));
    });
  }

  /** Stages a row; the first gets sequence number 1. */
  async add(row: ImportedReview): Promise<void> {
    this.#sequence += 1;
    this.#batch.push(stagedRow(row, this.#sequence));
    if (this.#batch.length === BATCH_ROWS) await this.#flush();
  }

  /** A row whose author does not agree that it is shown: `merge` hides the review if it is stored. */
  async disagree(row: ImportedReview): Promise<void> {
    for (const id of await findCopies(this.#database.read, row)) this.#disagreed.add(id);
  }

  async #flush(): Promise<void> {
    if (this.#batch.length === 0) return;
    await this.#database.read.insertInto('staged_reviews').values(this.#batch).execute();
    this.#batch = [];
  }

  /**
   * Merges the staged rows; of several rows for one review the last one counts. The plan is made before
   * the transaction, so that the write lock is held only for writing.
   */
  async merge(options: MergeOptions): Promise<MergeCounts> {
    await this.#flush();
    const { schema } = this.#database.read;
    await schema.createIndex('staged_identity').on('staged_reviews').column('identity').execute();
    await this.#database.updateStatistics('staged_reviews');
    let duplicate = await keepLast(this.#database.read, 'identity');
    await schema.createIndex('staged_id').on('staged_reviews').column('id').execute();
    const byAuthor = schema.createIndex('staged_author').on('staged_reviews');
    await byAuthor.columns(['author', 'date']).execute();
    duplicate += await mergeStagedCopies(this.#database.read);
    let suppressed = 0;
    for (;;) {
      const isWhole = !options.prune && options.record?.input.refused === 0;
      const plan = await makePlan(this.#database.read, isWhole, options, this.#disagreed.size);
      duplicate += plan.duplicate;
      suppressed += plan.suppressed;
      this.nearDuplicates = plan.nearDuplicates;
      // Real content may have been imported since the decision to import the example.
      if (options.example && !plan.hasExample && (await hasContent(this.#database.read))) {
        return NOTHING;
      }
      if (!options.dryRun && plan.gone.length > 0) await options.onPrune?.(plan.gone);
      const counts = await this.#execute(plan, { duplicate, suppressed }, options);
      if (counts) return counts;
    }
  }

  /** Sequence numbers of the rows that leave their review unverified, ascending. After `merge` only. */
  unverified(): Promise<number[]> {
    return listUnverified(this.#database.read);
  }

  /** Returns null if another merge changed the content since the plan was made. */
  async #execute(
    plan: MergePlan,
    dropped: Pick<MergeCounts, 'duplicate' | 'suppressed'>,
    options: MergeOptions,
  ): Promise<MergeCounts | null> {
    let tried = undefined as MergeCounts | undefined;
    try {
      return await this.#database.write(
        async (transaction) => {
          const { contentVersion } = await loadState(transaction);
          if (contentVersion !== plan.contentVersion) return null;
          const merging = merge(transaction, plan, options, [...this.#disagreed]);
          const { isChanged, businessChanges, hiddenNow, ...merged } = await merging;
          const taken = `published before and no longer agreed to, so hidden: ${hiddenNow}`;
          this.changes = [...plan.edits, ...(hiddenNow > 0 ? [taken] : []), ...businessChanges];
          const counts = { ...merged, ...dropped };
          if (options.dryRun) {
            tried = counts;
            throw new Error('a dry run is rolled back');
          }
          if (options.record) {
            const { origin, input } = options.record;
            const nearDuplicates = plan.nearDuplicates.map(({ id, of }) => ({ id, of }));
            const like = nearDuplicates.length > 0 ? { nearDuplicates } : {};
            const remarks = [...(input.remarks ?? []), ...this.changes];
            const businessChanged = businessChanges.length > 0;
            const report = { ...input, remarks, counts, businessChanged, ...like };
            const version = isChanged ? contentVersion + 1 : null;
            this.importNumber = await recordMerge(transaction, origin, report, version);
          }
          return counts;
        },
        { lock: CONTENT_LOCK, notifies: 'state' },
      );
    } catch (error) {
      if (tried) return tried;
      throw error;
    }
  }
}

/** The most reviews of a source that are pruned while others stay: of a few, most may be gone for good reasons. */
const FEW_REVIEWS = 10;

/** @throws {InputError} if all or more than half of a source would go, as if half a file or that of another was read. */
export function assertMostKept(gone: readonly Gone[]): void {
  for (const { source, removed, stored } of gone) {
    const found = stored - removed;
    if (found > 0 && (removed <= FEW_REVIEWS || removed <= found)) continue;
    throw new InputError(
      `nothing was imported: expected most of the ${stored} stored reviews of ${show(source)}, got ${found}, so "prune" would ` +
        `remove ${removed}; if that is right, import the file once with "import --prune --yes" and the same options`,
    );
  }
}

interface MergeResult extends Omit<MergeCounts, 'duplicate' | 'suppressed'> {
  /** Whether the content version was increased. */
  readonly isChanged: boolean;
  /** Reviews that were published until their authors did not agree any more. */
  readonly hiddenNow: number;
  readonly businessChanges: readonly string[];
}

async function merge(
  transaction: Executor,
  { replacesExample, added, updated, renamed, unchanged, unverified, ...plan }: MergePlan,
  options: MergeOptions,
  disagreed: readonly string[],
): Promise<MergeResult> {
  if (replacesExample) {
    await transaction.deleteFrom('reviews').execute();
    await transaction.deleteFrom('business').execute();
  } else await rememberIdentities(transaction);
  if (updated > 0 && options.record) {
    await keepReplaced(transaction, options.record.origin.startedAtMs);
  }
  if (added + updated + renamed > 0) await upsertChanged(transaction);
  if (options.hides && added > 0) await hideNew(transaction);
  const hidden = options.hides ? await countHidden(transaction) : plan.hidden;
  const removed = options.prune ? await prune(transaction) : 0;
  const { length: hiddenNow } = await hideIn(transaction, disagreed, 'not_agreed');
  if (removed > 0 || replacesExample) await deleteOrphans(transaction);
  const businessChanges =
    options.business === null
      ? []
      : await saveBusiness(transaction, options.business, {
          logo: options.logo ?? null,
          header: options.header ?? null,
        });
  // A changed identity is not published, but it invalidates the plans of concurrent merges.
  const isChanged =
    added + updated + renamed + removed + hiddenNow > 0 ||
    businessChanges.length > 0 ||
    replacesExample;
  if (isChanged) {
    const example = options.example ? 1 : 0;
    await transaction.updateTable('state').set({ example }).execute();
    await requestPublishIn(transaction);
  }
  const counts = { added, updated, unchanged, removed, unverified, hidden };
  return { ...counts, hiddenNow, isChanged, businessChanges };
}
