import Sequencer from '@jest/test-sequencer';

/**
 * Runs the files of `test/` first. They take longest, and without figures of an earlier run jest starts with the largest files: the
 * suites whose file only imports their cases would run last, while a core is idle.
 */
export default class BoundaryTestsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isBoundary = ({ path }) => path.includes('/test/');
    return [...sorted.filter(isBoundary), ...sorted.filter((test) => !isBoundary(test))];
  }
}
