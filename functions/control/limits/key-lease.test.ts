import { describe, expect, it } from '@jest/globals';
import { Arrivals } from './key-lease.ts';

const arriving = (...times: number[]) => {
  const arrivals = new Arrivals(250);
  for (const time of times) arrivals.add(time);
  return arrivals;
};
const every = (milliseconds: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / milliseconds) }, (_, at) => from + at * milliseconds);

describe('requests that are expected', () => {
  it('are as many as came in the last stretch, while they go on coming', () => {
    expect(arriving(...every(5, 0, 400)).expected(400)).toBe(50);
  });

  it('are none after a burst, however large', () => {
    expect(arriving(...Array.from({ length: 500 }, () => 249)).expected(251)).toBe(0);
  });

  it('are none where a burst has just begun', () => {
    expect(arriving(...Array.from({ length: 500 }, () => 251)).expected(252)).toBe(0);
  });

  it('are fewer where fewer come now', () => {
    expect(arriving(...every(5, 0, 250), ...every(25, 250, 350)).expected(350)).toBe(10);
  });

  it('are none after a pause', () => expect(arriving(...every(5, 0, 250)).expected(600)).toBe(0));
});
