import { reasonOf } from './file-errors.ts';
import { runScan } from './scan/run-scan.ts';

/** Runs the gateway's inspection over files of texts: npm run --silent scan -- --help */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early, such as `head`, is not a failure.
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`standard output: ${reasonOf(error)}`);
  process.exit(2);
});
process.exitCode = await runScan(process.argv.slice(2), process);
