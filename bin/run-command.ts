import { AdminApiError } from './admin-client.ts';

/** Runs a command to its exit code; what the admin API refuses is told in a sentence and ends with 1. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
