import { runAdmin } from './admin/run-admin.ts';

/** Commands for the admin API of a deployment or a local service: npm run --silent admin -- --help */
// A reader that stops early, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runAdmin(process.argv.slice(2), process);
