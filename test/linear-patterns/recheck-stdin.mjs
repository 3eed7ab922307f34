/**
 * Checks regular expressions, a JSON list of {source, flags} on standard input, and writes the list of recheck's statuses. A
 * separate process, because recheck's build in pure JavaScript (no Java, no native program) takes many times as long within
 * jest's module sandbox.
 */
import { text } from 'node:stream/consumers';
import { checkSync } from 'recheck';

// Run in this process, not in a worker.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Time limit for one pattern; a pattern that exceeds it counts as not proved. */
const TIMEOUT_MS = 120_000;

const patterns = JSON.parse(await text(process.stdin));
const verdicts = patterns.map(({ source, flags }) => {
  const { status, complexity, error } = checkSync(source, flags, {
    timeout: TIMEOUT_MS,
    // It proves; the other one tries inputs at random, and finds nothing or something by chance.
    checker: 'automaton',
  });
  // `safe` is linear or better; anything that grows faster is `vulnerable`.
  return status === 'safe' ? 'linear' : (complexity?.type ?? error?.kind ?? status);
});
process.stdout.write(JSON.stringify(verdicts));
