import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';

it('a part of a budget holds no more than its share, and counts in the whole', () => {
  const whole = new BodyBudget(100);
  const part = whole.part(0.25, 10);
  expect([part.take(26), part.take(25), part.take(1)]).toEqual([false, true, false]);
  expect([whole.held, part.held]).toEqual([25, 25]);
  expect([whole.take(76), whole.take(75)]).toEqual([false, true]);
  part.give(25);
  expect([whole.held, part.held]).toEqual([75, 0]);
  expect([whole.take(20), part.take(6), part.take(5)]).toEqual([true, false, true]);
});

it('a part has room for one body', () => {
  expect(new BodyBudget(100).part(0.25, 40).take(40)).toBe(true);
});
