// The stages of a publish: what is reported, and how long each took.

import { expect, test } from 'vitest';
import { type Stage, StageClock } from '../../src/publishing/run/stages.ts';

let nowMs = 0;
const reported: Stage[] = [];
const clock = new StageClock(
  (stage) => reported.push(stage),
  () => nowMs,
);

test('every stage is reported at once, its progress once a second, and its times are added', () => {
  expect(reported).toEqual(['start']);
  nowMs = 100;
  clock.begin('analyse');
  for (nowMs = 200; nowMs <= 3_100; nowMs += 100) clock.begin('analyse');
  expect(reported).toEqual(['start', 'analyse', 'analyse', 'analyse', 'analyse']);
  clock.begin('build');
  nowMs += 500;
  clock.begin('draw');
  nowMs += 50;
  clock.begin('build');
  nowMs += 250;
  expect(clock.stageSeconds()).toEqual({ start: 0.1, analyse: 3.1, build: 0.75, draw: 0.05 });
});
