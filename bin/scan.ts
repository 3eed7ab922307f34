import { reasonOf } from './file-errors.ts';
import { runScan } from './scan/run-scan.ts';

/** svc scan: runs the gateway's inspection over files of texts. */
export function scan(args: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early, such as `head`, is not a failure.
    if (error.code === 'EPIPE') process.exit(0);
    console.error(`standard output: ${reasonOf(error)}`);
    process.exit(2);
  });
  return runScan(args, process);
}
