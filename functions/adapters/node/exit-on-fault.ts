import { logProcessFault } from '../telemetry/json-log.ts';

/** Running requests end and are recorded within two seconds, unless the stores fail too. */
const SETTLE_MS = 5_000;
/** A fault that repeats must not fill the log. */
const MAX_LOGGED = 10;

/**
 * Ends the process with exit code 1 after an error, or a rejection, that no code caught: its state is unknown. Logs it first, and waits for
 * `settle`, five seconds at most, so that running requests are settled and recorded. Further faults are logged and change nothing.
 * @param log replaces the log line, for faults that are reported otherwise
 */
export function exitOnFault(
  settle: (error: Error) => Promise<unknown>,
  log: (error: Error) => void = logProcessFault,
): void {
  let faults = 0;
  // Node reports a rejection here too.
  process.on('uncaughtException', (error) => {
    faults += 1;
    // Also the code of an exit for another reason, such as a signal.
    process.exitCode = 1;
    if (faults <= MAX_LOGGED) log(error);
    if (faults > 1) return;
    const exit = () => process.exit(1);
    setTimeout(exit, SETTLE_MS);
    void Promise.resolve(error).then(settle).then(exit, exit);
  });
}
