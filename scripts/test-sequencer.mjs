import Sequencer from '@jest/test-sequencer';

/**
 * Runs the files of `test/` first. They take longest, and without figures of an earlier run jest starts with the largest files: the
 * suites whose file only imports their cases would run last, while a core is idle. Before them come tests with large buffers, for which Node
 * collects garbage often: in a worker that has run many files they take four times the CPU.
 */
export default class BoundaryTestsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const {
      large = [],
      boundary = [],
      other = [],
    } = Object.groupBy(sorted, ({ path }) => {
      if (path.includes('/functions/adapters/documents/')) return 'large';
      return path.includes('/test/') ? 'boundary' : 'other';
    });
    return [...large, ...boundary, ...other];
  }
}
