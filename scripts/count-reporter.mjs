/** Ends the run with the line "N passed, N failed"; a test file that doesn't load counts as one failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // After the default reporter's own summary, which goes to stderr.
    setImmediate(() => console.log(`${results.numPassedTests} passed, ${failed} failed`));
  }
}
