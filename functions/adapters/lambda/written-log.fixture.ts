import { afterEach, beforeEach, jest } from '@jest/globals';

/** Captures standard output during each test of a file. */
export function collectLog(): () => string {
  let written = '';
  beforeEach(() => {
    written = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      written += chunk;
      return true;
    });
  });
  afterEach(() => void jest.restoreAllMocks());
  return () => written;
}
