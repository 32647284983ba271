// TypeScript clients that other programs generate from /openapi.json compile and read every document of a
// running server. The generators are installed from npm into a temporary folder, because they would triple
// what `npm ci` installs.

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/http.ts';
import { type Server, Workplace } from '../support/process.ts';

const PACKAGES = {
  '@hey-api/openapi-ts': '0.99.0',
  '@types/node': '24.0.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  orval: '8.30.0',
  typescript: '5.9.3',
};

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

const OPENAPI_TYPESCRIPT = `
  import createClient from 'openapi-fetch';
  import type { components, paths } from './schema.d.ts';
  type Schemas = components['schemas'];
  const client = createClient<paths>({ baseUrl: process.argv[2]! });
  const dataset: Schemas['Dataset'] = (await client.GET('/reviews.json')).data!;
  const { id, date } = dataset.reviews[0]!;
  const review: Schemas['Review'] = (
    await client.GET('/api/reviews/{id}', { params: { path: { id } } })
  ).data!;
  const search: Schemas['SearchAnswer'] = (
    await client.GET('/api/reviews/search', { params: { query: { rating: 5, limit: 2 } } })
  ).data!;
  const since: Schemas['SinceAnswer'] = (
    await client.GET('/api/reviews/since/{date}', { params: { path: { date } } })
  ).data!;
  const insights: Schemas['Insights'] = (await client.GET('/insights.json')).data!;
  const feed: Schemas['JsonFeed'] = (await client.GET('/api/feed.json')).data!;
  const atom = (await client.GET('/feed.xml', { parseAs: 'text' })).data!;
`;

const HEY_API = `
  import { client } from './client/client.gen.ts';
  import {
    type Dataset, getAtomFeed, getInsights, getJsonFeed, getReview, getReviews, getReviewsSince,
    type Insights, type JsonFeed, type Review, type SearchAnswer, searchReviews, type SinceAnswer,
  } from './client/index.ts';
  client.setConfig({ baseUrl: process.argv[2]! as 'https://reviews.example' });
  const throwOnError = true;
  const dataset: Dataset = (await getReviews({ throwOnError })).data;
  const { id, date } = dataset.reviews[0]!;
  const review: Review = (await getReview({ path: { id }, throwOnError })).data;
  const search: SearchAnswer = (
    await searchReviews({ query: { rating: 5, limit: 2 }, throwOnError })
  ).data;
  const since: SinceAnswer = (await getReviewsSince({ path: { date }, throwOnError })).data;
  const insights: Insights = (await getInsights({ throwOnError })).data;
  const feed: JsonFeed = (await getJsonFeed({ throwOnError })).data;
  const atom = (await getAtomFeed({ throwOnError, parseAs: 'text' })).data;
`;

const ORVAL = `
  import {
    type Dataset, getAtomFeed, getInsights, getJsonFeed, getReview, getReviews, getReviewsSince,
    type Insights, type JsonFeed, type Review, type SearchAnswer, searchReviews, type SinceAnswer,
  } from './client.ts';
  function okOf<Answer extends { status: number }>(answer: Answer) {
    if (answer.status !== 200) throw new Error(String(answer.status));
    return answer as Extract<Answer, { status: 200 }>;
  }
  const dataset: Dataset = okOf(await getReviews()).data;
  const { id, date } = dataset.reviews[0]!;
  const review: Review = okOf(await getReview(id)).data;
  const search: SearchAnswer = okOf(await searchReviews({ rating: 5, limit: 2 })).data;
  const since: SinceAnswer = okOf(await getReviewsSince(date)).data;
  const insights: Insights = okOf(await getInsights()).data;
  const feed: JsonFeed = okOf(await getJsonFeed()).data;
  const atom = okOf(await getAtomFeed()).data;
`;

/** Ends each script: prints what the client read. */
const PRINT = `
  console.log(JSON.stringify({ dataset, review, search, since, insights, feed, atom }));
`;

interface Generator {
  readonly script: string;
  readonly command: readonly string[];
  readonly configuration: readonly [name: string, content: string] | null;
}

const GENERATORS: Readonly<Record<string, (origin: string) => Generator>> = {
  'openapi-typescript': () => ({
    script: OPENAPI_TYPESCRIPT,
    command: ['openapi-typescript', '../openapi.json', '--output', 'schema.d.ts'],
    configuration: null,
  }),
  '@hey-api/openapi-ts': () => ({
    script: HEY_API,
    command: ['openapi-ts'],
    configuration: [
      'openapi-ts.config.mjs',
      "export default { input: '../openapi.json', output: { path: 'client', module: { extension: '.ts' } } };",
    ],
  }),
  orval: (origin) => ({
    script: ORVAL,
    command: ['orval', '--config', 'orval.config.mjs'],
    configuration: [
      'orval.config.mjs',
      `export default { reviews: { input: '../openapi.json', output: { target: 'client.ts', client: 'fetch', baseUrl: '${origin}' } } };`,
    ],
  }),
};

/** Runs a program; the error of one that fails has all that it printed. */
async function run(file: string, options: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, options, { cwd, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${file} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

let place: Workplace;
let server: Server;
beforeAll(async () => {
  place = await Workplace.open();
  server = await place.serve({}, '--example');
  await server.until('/reviews.json', ({ reviews }) => reviews.length > 0);
  const write = (name: string, content: object) =>
    writeFile(join(place.folder, name), JSON.stringify(content));
  await write('package.json', { private: true, type: 'module', dependencies: PACKAGES });
  await write('openapi.json', await server.json('/openapi.json'));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], place.folder);
});
afterAll(() => place.close());

const program = (name: string) => join(place.folder, 'node_modules/.bin', name);

describe.each(Object.entries(GENERATORS))('a client generated by %s', (name, generatorOf) => {
  test('compiles, and reads every document', async () => {
    const { script, command, configuration } = generatorOf(server.url);
    const cwd = join(place.folder, name.replaceAll(/\W/g, '-'));
    await mkdir(cwd);
    if (configuration) await writeFile(join(cwd, configuration[0]), configuration[1]);
    await writeFile(join(cwd, 'read.ts'), script + PRINT);
    await writeFile(
      join(cwd, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS }),
    );
    const [generate, ...options] = command;
    await run(program(generate!), options, cwd);
    await run(program('tsc'), ['--project', cwd], cwd);
    const read: Json = JSON.parse(await run(process.execPath, ['read.ts', server.url], cwd));
    const [{ id, date }] = read.dataset.reviews;
    expect(read).toEqual({
      dataset: await server.json('/reviews.json'),
      review: await server.json(`/api/reviews/${id}`),
      search: await server.json('/api/reviews/search?rating=5&limit=2'),
      since: await server.json(`/api/reviews/since/${date}`),
      insights: await server.json('/insights.json'),
      feed: await server.json('/api/feed.json'),
      atom: await (await server.get('/feed.xml')).text(),
    });
  });
});
