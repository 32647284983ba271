// Global setup: starts a PostgreSQL server for the tests that need one, and stops it after them.

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { Database } from '../../src/store/database.ts';
import { startPostgres } from './postgres.ts';

/** Test data need not survive a power cut, so nothing waits for the disk, and no log file is filled in advance. */
const NOT_DURABLE = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_init_zero=off',
  'wal_recycle=off',
];

/** The template of every test database: the schema without data. */
export const TEMPLATE = 'public_reviews_template';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The database that the stores of the tests use. */
    database: 'sqlite' | 'postgres';
    postgresUrl: string;
  }
}

// oxlint-disable-next-line import/no-default-export -- vitest requires a default export
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres(NOT_DURABLE) : null;
  const url = server?.url ?? given ?? '';
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`);
  await admin.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await (await Database.open(template.href)).close();
  project.provide('postgresUrl', url);
  return async () => {
    await server?.remove();
  };
}
