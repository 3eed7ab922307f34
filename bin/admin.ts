import { runAdmin } from './admin/run-admin.ts';

/** svc admin: commands for the admin API of a deployment or a local service. */
export function admin(args: readonly string[]): Promise<number> {
  // A reader that stops early, such as `head`, is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return runAdmin(args, process);
}
