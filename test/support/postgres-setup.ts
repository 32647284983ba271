// Runs once, before the tests that want a PostgreSQL, and ends it after them.

import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { Database } from '../../src/store/database.ts';
import { startPostgres } from './postgres.ts';

/** What every test's database is a copy of: the schema, and nothing in it. */
export const TEMPLATE = 'public_reviews_template';

declare module 'vitest' {
  export interface ProvidedContext {
    /** On which database the stores of the tests are. */
    database: 'sqlite' | 'postgres';
    postgresUrl: string;
  }
}

// oxlint-disable-next-line import/no-default-export -- the form that the runner reads
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  // What is lost in a power cut is made again in no time.
  const server = given === undefined ? await startPostgres(['fsync=off']) : null;
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
