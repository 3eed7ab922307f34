import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from './progress.ts';

let now = 0;
beforeEach(() => {
  now = 1000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function showing(isTTY: boolean, isWanted = true) {
  const written: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { progress: new Progress(stderr, isWanted), written };
}

describe('progress', () => {
  it('shows texts, rate and share on a terminal, five times a second', () => {
    const { progress, written } = showing(true);
    progress.start(2000);
    progress.read(500);
    progress.show(1);
    now += 199;
    progress.show(2);
    expect(written).toEqual([]);
    now += 1;
    progress.show(1200);
    progress.show(1201);
    expect(written).toEqual(['\r\u001b[K1,200 texts, 6,000/s, 25 %']);
    now += 200;
    progress.read(5000);
    progress.show(1300);
    expect(written[1]).toBe('\r\u001b[K1,300 texts, 3,250/s, 100 %');
    progress.clear();
    progress.clear();
    expect(written.slice(2)).toEqual(['\r\u001b[K']);
  });

  it('has no share of standard input', () => {
    const { progress, written } = showing(true);
    progress.start(0);
    progress.read(10);
    now += 1000;
    progress.show(10);
    expect(written).toEqual(['\r\u001b[K10 texts, 10/s']);
  });

  it.each([
    [false, true],
    [true, false],
  ])('writes nothing: terminal %s, wanted %s', (isTTY, isWanted) => {
    const { progress, written } = showing(isTTY, isWanted);
    progress.start(1);
    now += 1000;
    progress.show(10);
    progress.clear();
    expect(written).toEqual([]);
  });
});
