// A scripted agent answers questions of customers by tools alone: it makes the first call that the descriptions suggest,
// then the general ones, reads at most three answers, and stops when it has read the facts. docs/mcp.md has the figures.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleSnapshot } from '../support/example.ts';
import { TestServer } from '../support/http.ts';
import { ask, callTool } from '../support/rpc.ts';
import questions from './questions.json' with { type: 'json' };

type Call = [name: string, args: Record<string, unknown>];

const MOST_CALLS = 3;

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await exampleSnapshot('https://reviews.example.com'));
});
afterAll(() => server.close());

async function readFor(question: string, facts: readonly RegExp[], first?: Call) {
  const calls: Call[] = [
    ...(first ? [first] : []),
    ['search_reviews', { words: question, limit: 5 }],
    ['get_faq', { query: question }],
    ['get_business', { detail: 'short' }],
  ];
  let read = '';
  for (const [name, args] of calls.slice(0, MOST_CALLS)) {
    const { isError, content } = await callTool(server, name, args);
    expect([question, name, isError ?? false]).toEqual([question, name, false]);
    read += content[0].text;
    if (facts.every((fact) => fact.test(read))) return { isRight: true, characters: read.length };
  }
  return { isRight: false, characters: read.length };
}

test('at least 38 of 40 questions are answered, in few characters', async () => {
  const wrong: string[] = [];
  const characters: number[] = [];
  for (const { question, facts, first } of questions) {
    const patterns = facts.map((fact) => new RegExp(fact));
    const answer = await readFor(question, patterns, first as Call | undefined);
    if (!answer.isRight) wrong.push(question);
    characters.push(answer.characters);
  }
  expect(questions).toHaveLength(40);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(2);
  // About three characters are a token of an answer, more than four of the list of tools.
  const median = characters.toSorted((a, b) => a - b)[20] as number;
  const { tools } = (await ask(server, 'modern', 'tools/list')).result;
  expect(median / 3 + JSON.stringify(tools).length / 4).toBeLessThan(6_000);
});
