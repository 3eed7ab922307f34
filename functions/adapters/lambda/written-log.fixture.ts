import { afterEach, beforeEach, jest } from '@jest/globals';

/** Collects what each test of a file writes to standard output, in the place of writing it. */
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
