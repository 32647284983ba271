// A server with a language model: its claims reach the insights, and leave them when it is switched off.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Insights } from '../../src/model/insights.ts';
import { claiming, FakeModel } from '../support/fake-model.ts';
import { LocalServer } from '../support/local-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import { merge, record } from '../support/store.ts';

const QUOTE = 'it came to 480 where 300 had been on the paper';

let place: Workplace;
let model: FakeModel;
beforeEach(async () => {
  place = await Workplace.open();
  model = await FakeModel.open();
});
afterEach(async () => {
  await place.close();
  await model.close();
});

/** Starts a server, and returns the insights once they are as expected. */
async function insightsWhen(
  settings: Readonly<Record<string, string>>,
  isExpected: (insights: Insights) => boolean,
): Promise<{ insights: Insights; metrics: string; log: string }> {
  const server = await LocalServer.start({ ...place.environment, ...settings, LOG_LEVEL: 'debug' });
  try {
    const insights = (await server.until('/insights.json', isExpected)) as Insights;
    return { insights, metrics: await (await server.get('/metrics')).text(), log: server.log };
  } finally {
    await server.close();
  }
}

const claimed = ({ aspects }: Insights) => aspects.some(({ id }) => id === 'transparency');

test('claims reach the insights, and leave them without the model', async () => {
  model.answer = claiming('transparency', 'negative', QUOTE);
  await place.look((database) =>
    merge(database, [
      record({ rating: 1, text: `Hm, ${QUOTE}.` }),
      record({ author: 'Lee', rating: 5, text: null }),
    ]),
  );
  const settings = {
    ANALYSER: 'openai-compatible',
    ANALYSER_URL: `${model.url}/`,
    ANALYSER_MODEL: 'small',
    ANALYSER_KEY: 'a-secret-key',
  };
  const { insights, metrics, log } = await insightsWhen(settings, claimed);
  expect(insights.model).toMatch(/^claims\/\d+, prompt-1 small$/);
  const mentions = Object.values(insights.per_review).flatMap(({ aspects }) => aspects);
  expect(mentions).toContainEqual(
    expect.objectContaining({ id: 'transparency', sentiment: 'negative', phrase: `Hm, ${QUOTE}.` }),
  );
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.reviews).toHaveLength(1);
  expect(metrics).toMatch(/^public_reviews_analyser_requests_total\{outcome="answered"\} 1$/m);
  expect(metrics).toMatch(/^public_reviews_analyser_waiting 0$/m);
  expect(log).not.toContain('a-secret-key');

  const again = await insightsWhen(settings, claimed);
  expect(again.insights).toEqual(insights);
  expect(model.requests).toHaveLength(1);

  const off = await insightsWhen({}, (each) => !claimed(each));
  expect(off.insights.model).toMatch(/^claims\/\d+$/);
});

test('a model that does not answer leaves the insights to the rules', async () => {
  model.answer = () => null;
  await place.look((database) => merge(database, [record({ text: 'Came on time.' })]));
  const settings = {
    ANALYSER: 'openai-compatible',
    ANALYSER_URL: model.url,
    ANALYSER_MODEL: 'small',
  };
  const server = await LocalServer.start({ ...place.environment, ...settings });
  try {
    await expect.poll(() => model.requests.length, { timeout: PATIENCE_MS }).toBe(1);
    expect(model.requests[0]?.headers).not.toHaveProperty('authorization');
    const insights = (await (await server.get('/insights.json')).json()) as Insights;
    expect(insights.aspects.map(({ id }) => id)).toEqual(['punctuality']);
  } finally {
    // It does not wait for the answer.
    await server.close();
  }
});
