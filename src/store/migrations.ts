// The migrations of the schema. A released migration is never edited.

import { type Kysely, sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import type { ColumnTypes } from './engine.ts';
import { history } from './migrations/history.ts';
import { imports } from './migrations/imports.ts';
import { log } from './migrations/log.ts';
import { erasures } from './migrations/erasures.ts';
import { headerPicture } from './migrations/header-picture.ts';
import { logo } from './migrations/logo.ts';
import { proposals } from './migrations/proposals.ts';
import { removals } from './migrations/removals.ts';
import { sources } from './migrations/sources.ts';
import { verification } from './migrations/verification.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
type AnyDatabase = Kysely<any>;

const reviewsAndSnapshots = ({ text, bytes }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('reviews')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('identity', text, (column) => column.notNull().unique())
      .addColumn('source', text, (column) => column.notNull())
      .addColumn('author', text, (column) => column.notNull())
      .addColumn('author_avatar_url', text)
      .addColumn('rating', 'integer', (column) => column.notNull())
      .addColumn('date', text, (column) => column.notNull())
      .addColumn('text', text)
      .addColumn('source_url', text)
      .addColumn('owner_reply_text', text)
      .addColumn('owner_reply_date', text)
      .addColumn('verified', 'integer', (column) => column.notNull())
      .addColumn('verified_by', text)
      .execute();
    await db.schema
      .createTable('business')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('record', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('origin', text)
      .addColumn('example', 'integer', (column) => column.notNull())
      .addColumn('content_version', 'integer', (column) => column.notNull())
      .addColumn('published_version', 'integer', (column) => column.notNull())
      .addColumn('snapshot_number', 'integer')
      .addColumn('publisher', text)
      .addColumn('publisher_until', 'bigint', (column) => column.notNull())
      .execute();
    // Content version 1 is the empty store: publishing it is pending from the start.
    await sql`insert into state values (1, null, 0, 1, 0, null, null, 0)`.execute(db);
    await db.schema
      .createTable('snapshots')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('manifest', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('snapshot_parts')
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('bytes', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('snapshot_parts_key', ['name', 'sequence'])
      .execute();
  },
});

const subscriptions = ({ text, numbered }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('subscriptions')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('topic', text, (column) => column.notNull())
      .addColumn('callback_key', text, (column) => column.notNull())
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('topic_url', text, (column) => column.notNull())
      .addColumn('callback', text, (column) => column.notNull())
      .addColumn('lease_seconds', 'integer', (column) => column.notNull())
      .addColumn('secret', text)
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('retry_at', 'bigint', (column) => column.notNull())
      .addColumn('owed_snapshot', 'integer', (column) => column.notNull())
      .addColumn('owed_since', 'bigint', (column) => column.notNull())
      .addColumn('claimed_snapshot', 'integer', (column) => column.notNull())
      .addColumn('acknowledged_snapshot', 'integer', (column) => column.notNull())
      .addColumn('acknowledged_at', 'bigint')
      .addColumn('last_error', text)
      .addColumn('claimed_by', text)
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('subscriptions_key', ['topic', 'callback_key'])
      .execute();
    await db.schema
      .createIndex('subscriptions_by_host')
      .on('subscriptions')
      .column('host')
      .execute();
    await db.schema
      .createIndex('subscriptions_by_expiry')
      .on('subscriptions')
      .column('expires_at')
      .execute();
    await db.schema
      .createIndex('subscriptions_owed')
      .on('subscriptions')
      .columns(['failures', 'owed_since'])
      .where(sql.ref('owed_snapshot'), '>', sql.ref('acknowledged_snapshot'))
      .execute();
    await db.schema
      .createTable('intents')
      .addColumn('number', 'integer', numbered)
      .addColumn('mode', text, (column) => column.notNull())
      .addColumn('topic', text, (column) => column.notNull())
      .addColumn('callback_key', text, (column) => column.notNull())
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('topic_url', text, (column) => column.notNull())
      .addColumn('callback', text, (column) => column.notNull())
      .addColumn('lease_seconds', 'integer', (column) => column.notNull())
      .addColumn('secret', text)
      .addColumn('verify_token', text)
      .addColumn('claimed_by', text)
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('intents_by_host').on('intents').column('host').execute();
    await db.schema
      .createTable('denials')
      .addColumn('number', 'integer', numbered)
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('topic_url', text, (column) => column.notNull())
      .addColumn('callback', text, (column) => column.notNull())
      .addColumn('reason', text, (column) => column.notNull())
      .addColumn('claimed_by', text)
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .execute();
  },
});

const analyses = ({ text }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('analyses')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('context', text, (column) => column.notNull())
      .addColumn('analysis', text, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('analyses_context').on('analyses').column('context').execute();
  },
});

const mcp = ({ text, numbered }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('secrets')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('value', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('session_ends')
      .addColumn('number', 'integer', numbered)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
});

const hubClients = ({ text }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('hub_clients')
      .addColumn('client', text, (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('hub_clients_by_end').on('hub_clients').column('until').execute();
  },
});

const partHashes = ({ text }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema.alterTable('snapshot_parts').addColumn('hash', text).execute();
  },
});

const hubPlaces = ({ text }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    for (const table of ['subscriptions', 'intents', 'denials']) {
      await db.schema
        .alterTable(table)
        .addColumn('domain', text, (column) => column.notNull().defaultTo(''))
        .execute();
      await db.schema.alterTable(table).addColumn('network', text).execute();
      // A renewal sets the registrable domain.
      await sql`update ${sql.table(table)} set domain = host`.execute(db);
    }
    const number = (table: string, name: string) =>
      db.schema
        .alterTable(table)
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    await number('intents', 'turn');
    await number('subscriptions', 'unproven');
    await number('subscriptions', 'rank');
    await sql`update subscriptions set unproven = 1 where failures > 0`.execute(db);
    await sql`update subscriptions set rank = ranked.place from (
      select id, row_number() over (partition by host order by id) as place from subscriptions
    ) as ranked where ranked.id = subscriptions.id`.execute(db);
    await db.schema.dropIndex('subscriptions_owed').execute();
    for (const name of ['snapshot', 'since']) {
      const table = db.schema.alterTable('subscriptions');
      await table.renameColumn(`owed_${name}`, `pending_${name}`).execute();
    }
    await db.schema
      .createIndex('subscriptions_pending')
      .on('subscriptions')
      .columns(['unproven', 'rank', 'pending_since'])
      .where(sql.ref('pending_snapshot'), '>', sql.ref('acknowledged_snapshot'))
      .execute();
    const index = (table: string, column: string) =>
      db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
    await index('subscriptions', 'domain');
    await index('intents', 'domain');
    await index('intents', 'turn');
  },
});

const without = (table: string): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema.dropTable(table).execute();
  },
});

/** All migrations, with the column types of the opened database. */
export function migrationProvider(columns: ColumnTypes): MigrationProvider {
  const migrations: Record<string, Migration> = {
    '0001-reviews-and-snapshots': reviewsAndSnapshots(columns),
    '0002-subscriptions': subscriptions(columns),
    '0003-analyses': analyses(columns),
    '0004-mcp': mcp(columns),
    '0005-hub-clients': hubClients(columns),
    '0006-part-hashes': partHashes(columns),
    '0007-hub-places': hubPlaces(columns),
    '0008-imports': imports(columns),
    '0009-log': log(columns),
    '0010-removals': removals(columns),
    '0011-logo': logo(columns),
    '0012-verification': verification(columns),
    '0013-history': history(columns),
    '0014-sources': sources(columns),
    '0015-proposals': proposals(columns),
    '0016-header-picture': headerPicture(columns),
    '0017-erasures': erasures(columns),
    '0018-without-session-ends': without('session_ends'),
    '0019-without-hub-clients': without('hub_clients'),
  };
  return { getMigrations: () => Promise.resolve(migrations) };
}
