import { deleteDemo } from '../lib/local/data-folder.ts';
import { DEMO_FOLDER } from './start.ts';

const USAGE = `Usage: svc demo clear

Deletes the data of svc start --demo: the folder ${DEMO_FOLDER}, or that of SVC_DATA_DIR. The service must be stopped.`;

/** svc demo clear: deletes the data of a demo. */
export async function demo(args: readonly string[]): Promise<number> {
  const [what, ...more] = args;
  if (what !== 'clear' || more.length > 0) {
    const isHelp = what === '--help' || what === '-h';
    if (isHelp) process.stdout.write(`${USAGE}\n`);
    else process.stderr.write(`error: 'clear' must follow.\n\n${USAGE}\n`);
    return isHelp ? 0 : 2;
  }
  const folder = process.env.SVC_DATA_DIR || DEMO_FOLDER;
  try {
    const isDeleted = await deleteDemo(folder);
    process.stdout.write(isDeleted ? `Deleted the demo in '${folder}'.\n` : `There is no demo in '${folder}'.\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`Nothing was deleted: ${(error as Error).message}\n`);
    return 1;
  }
}
