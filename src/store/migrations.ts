// The migrations of the schema. A released migration is never edited.

import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import type { ColumnTypes } from './engine.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
type AnyDatabase = Kysely<any>;

type ColumnType = 'text' | 'bytes' | 'integer' | 'bigint';
/** The names of columns by type. Those of a type with "?" may be null. */
type Columns = Readonly<Partial<Record<ColumnType | `${ColumnType}?`, readonly string[]>>>;

/** A primary key: `numbered` gives each row the next number. */
type Key = Readonly<Partial<Record<'text' | 'integer' | 'numbered', string>>>;

/** The changes that migrations make, with the types of the opened database. */
class Changes {
  readonly db: AnyDatabase;
  readonly types: ColumnTypes;

  constructor(db: AnyDatabase, types: ColumnTypes) {
    this.db = db;
    this.types = types;
  }

  async create(
    table: string,
    { text, integer, numbered }: Key,
    columns: Columns,
    unique: readonly string[] = [],
  ): Promise<void> {
    let creation = this.db.schema.createTable(table) as CreateTableBuilder<string, string>;
    if (text) creation = creation.addColumn(text, this.types.text, (key) => key.primaryKey());
    if (integer) creation = creation.addColumn(integer, 'integer', (key) => key.primaryKey());
    if (numbered) creation = creation.addColumn(numbered, 'integer', this.types.numbered);
    for (const { name, type, isNullable } of this.#each(columns)) {
      creation = creation.addColumn(name, type, (column) =>
        isNullable ? column : column.notNull(),
      );
    }
    if (unique.length > 0) creation = creation.addUniqueConstraint(`${table}_key`, [...unique]);
    await creation.execute();
  }

  async add(table: string, columns: Columns): Promise<void> {
    for (const { name, type } of this.#each(columns)) {
      await this.db.schema.alterTable(table).addColumn(name, type).execute();
    }
  }

  /** `pending` is the column with the pending snapshot, in an index of those rows alone that have one. */
  async index(
    name: string,
    table: string,
    columns: readonly string[],
    pending?: string,
  ): Promise<void> {
    const index = this.db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns]);
    const acknowledged = sql.ref('acknowledged_snapshot');
    await (pending ? index.where(sql.ref(pending), '>', acknowledged) : index).execute();
  }

  #each(columns: Columns) {
    return Object.entries(columns).flatMap(([key, names]) => {
      const type = key.replace('?', '') as ColumnType;
      const own = type === 'text' || type === 'bytes' ? this.types[type] : type;
      return names.map((name) => ({ name, type: own, isNullable: key.endsWith('?') }));
    });
  }
}

const MIGRATIONS: Readonly<Record<string, (changes: Changes) => Promise<void>>> = {
  async '0001-reviews-and-snapshots'(changes) {
    const columns: Columns = {
      text: ['identity', 'source', 'author', 'date'],
      'text?': [
        'author_avatar_url',
        'text',
        'source_url',
        'owner_reply_text',
        'owner_reply_date',
        'verified_by',
      ],
      integer: ['rating', 'verified'],
    };
    await changes.create('reviews', { text: 'id' }, columns, ['identity']);
    await changes.create('business', { integer: 'id' }, { text: ['record'] });
    const state: Columns = {
      'text?': ['origin', 'publisher'],
      integer: ['example', 'content_version', 'published_version'],
      'integer?': ['snapshot_number'],
      bigint: ['publisher_until'],
    };
    await changes.create('state', { integer: 'id' }, state);
    // Content version 1 is the empty store: publishing it is pending from the start.
    await changes.db
      .insertInto('state')
      .values({ id: 1, example: 0, content_version: 1, published_version: 0, publisher_until: 0 })
      .execute();
    await changes.create('snapshots', { integer: 'number' }, { text: ['manifest'] });
    await changes.db.schema
      .createTable('snapshot_parts')
      .addColumn('name', changes.types.text, (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('bytes', changes.types.bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('snapshot_parts_key', ['name', 'sequence'])
      .execute();
  },

  async '0002-subscriptions'(changes) {
    const subscriptions: Columns = {
      text: ['topic', 'callback_key', 'host', 'topic_url', 'callback'],
      'text?': ['secret', 'last_error', 'claimed_by'],
      integer: [
        'lease_seconds',
        'failures',
        'owed_snapshot',
        'claimed_snapshot',
        'acknowledged_snapshot',
      ],
      bigint: ['expires_at', 'retry_at', 'owed_since', 'claimed_until'],
      'bigint?': ['acknowledged_at'],
    };
    const key = ['topic', 'callback_key'];
    await changes.create('subscriptions', { text: 'id' }, subscriptions, key);
    await changes.index('subscriptions_by_host', 'subscriptions', ['host']);
    await changes.index('subscriptions_by_expiry', 'subscriptions', ['expires_at']);
    const order = ['failures', 'owed_since'];
    await changes.index('subscriptions_owed', 'subscriptions', order, 'owed_snapshot');
    const intents: Columns = {
      text: ['mode', 'topic', 'callback_key', 'host', 'topic_url', 'callback'],
      'text?': ['secret', 'verify_token', 'claimed_by'],
      integer: ['lease_seconds'],
      bigint: ['claimed_until'],
    };
    await changes.create('intents', { numbered: 'number' }, intents);
    await changes.index('intents_by_host', 'intents', ['host']);
    const denials: Columns = {
      text: ['host', 'topic_url', 'callback', 'reason'],
      'text?': ['claimed_by'],
      bigint: ['claimed_until'],
    };
    await changes.create('denials', { numbered: 'number' }, denials);
  },

  async '0003-analyses'(changes) {
    await changes.create('analyses', { text: 'key' }, { text: ['context', 'analysis'] });
    await changes.index('analyses_context', 'analyses', ['context']);
  },

  async '0004-mcp'(changes) {
    await changes.create('secrets', { text: 'name' }, { text: ['value'] });
    const ends: Columns = { text: ['id'], bigint: ['expires_at'] };
    await changes.create('session_ends', { numbered: 'number' }, ends, ['id']);
  },

  async '0005-hub-clients'(changes) {
    const columns: Columns = { integer: ['count'], bigint: ['until'] };
    await changes.create('hub_clients', { text: 'client' }, columns);
    await changes.index('hub_clients_by_end', 'hub_clients', ['until']);
  },

  async '0006-part-hashes'(changes) {
    await changes.add('snapshot_parts', { 'text?': ['hash'] });
  },

  async '0007-hub-places'(changes) {
    const { db, types } = changes;
    for (const table of ['subscriptions', 'intents', 'denials']) {
      await db.schema
        .alterTable(table)
        .addColumn('domain', types.text, (column) => column.notNull().defaultTo(''))
        .execute();
      await changes.add(table, { 'text?': ['network'] });
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
    const order = ['unproven', 'rank', 'pending_since'];
    await changes.index('subscriptions_pending', 'subscriptions', order, 'pending_snapshot');
    await changes.index('subscriptions_by_domain', 'subscriptions', ['domain']);
    await changes.index('intents_by_domain', 'intents', ['domain']);
    await changes.index('intents_by_turn', 'intents', ['turn']);
  },

  async '0008-imports'(changes) {
    const columns: Columns = {
      bigint: ['started_at'],
      text: ['command', 'operator', 'report'],
      'text?': ['error', 'publish_error'],
      'integer?': ['content_version'],
      'bigint?': ['published_at'],
    };
    await changes.create('imports', { numbered: 'number' }, columns);
  },

  async '0009-log'(changes) {
    await changes.create('log_state', { integer: 'id' }, { integer: ['size', 'example'] });
    await changes.db.insertInto('log_state').values({ id: 1, size: 0, example: 0 }).execute();
    const bundles: Columns = {
      integer: ['width'],
      bytes: ['entries', 'hashes'],
      'bytes?': ['root'],
    };
    await changes.create('log_bundles', { integer: 'number' }, bundles);
    const reviews: Columns = { 'text?': ['salt', 'reason'], integer: ['first', 'last'] };
    await changes.create('log_reviews', { text: 'review_id' }, reviews);
    const cosignatures: Columns = { integer: ['size'], text: ['root', 'lines'] };
    await changes.create('log_cosignatures', { text: 'witness' }, cosignatures);
    const witnessed: Columns = { bigint: ['size'], text: ['root'] };
    await changes.create('witnessed_logs', { text: 'origin' }, witnessed);
  },

  async '0010-removals'(changes) {
    await changes.create('suppressions', { text: 'digest' }, {});
    await changes.create('hidden_reviews', { text: 'review_id' }, { text: ['reason'] });
  },

  async '0011-logo'(changes) {
    await changes.add('business', { 'bytes?': ['logo', 'icon'] });
  },

  async '0012-verification'(changes) {
    await changes.add('reviews', { 'text?': ['verified_level', 'verified_at', 'title'] });
    await changes.add('state', { 'text?': ['authors'] });
  },

  async '0013-history'(changes) {
    const history: Columns = {
      text: ['review_id', 'source', 'author', 'date'],
      'text?': [
        'author_avatar_url',
        'title',
        'text',
        'source_url',
        'owner_reply_text',
        'owner_reply_date',
        'verified_by',
        'verified_level',
        'verified_at',
      ],
      integer: ['rating', 'verified'],
      bigint: ['replaced_at'],
    };
    await changes.create('review_history', { numbered: 'number' }, history);
    await changes.index('review_history_by_review', 'review_history', ['review_id']);
    await changes.create('review_identities', { text: 'identity' }, { text: ['review_id'] });
    await changes.index('review_identities_by_review', 'review_identities', ['review_id']);
    await changes.index('reviews_by_author', 'reviews', ['author', 'date']);
  },

  async '0014-sources'(changes) {
    const columns: Columns = {
      'text?': ['seen', 'error', 'claimed_by'],
      integer: ['failures'],
      bigint: ['next_at', 'claimed_until'],
      'bigint?': ['checked_at', 'succeeded_at'],
    };
    await changes.create('sources', { text: 'name' }, columns);
  },

  async '0015-proposals'(changes) {
    const columns: Columns = {
      text: ['proposer'],
      'text?': ['claims', 'claimed_by'],
      integer: ['attempts', 'is_published'],
      bigint: ['claimed_until'],
    };
    await changes.create('proposals', { text: 'key' }, columns);
  },

  async '0016-header-picture'(changes) {
    await changes.add('business', { 'bytes?': ['header'] });
  },

  async '0017-erasures'(changes) {
    await changes.add('state', { 'integer?': ['erasing_version'], 'text?': ['forgotten'] });
  },

  async '0018-without-session-ends'({ db }) {
    await db.schema.dropTable('session_ends').execute();
  },

  async '0019-without-hub-clients'({ db }) {
    await db.schema.dropTable('hub_clients').execute();
  },

  async '0020-attributes'(changes) {
    for (const table of ['reviews', 'review_history']) {
      await changes.add(table, { 'text?': ['location', 'attributes', 'ratings'] });
    }
  },

  async '0021-backups'(changes) {
    await changes.add('state', { 'bigint?': ['backed_up_at'] });
  },

  async '0022-backup-paths'(changes) {
    await changes.add('state', { 'text?': ['backed_up_to'] });
  },
};

export function migrationProvider(types: ColumnTypes): MigrationProvider {
  const migrations = Object.entries(MIGRATIONS).map(([name, change]): [string, Migration] => [
    name,
    { up: (db: AnyDatabase) => change(new Changes(db, types)) },
  ]);
  return { getMigrations: () => Promise.resolve(Object.fromEntries(migrations)) };
}
