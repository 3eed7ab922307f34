/**
 * The load generator, a separate process so that its CPU time is counted separately. It is forked, gets one job at a time as
 * a message and replies with the measurements of lib/load-jobs.mjs, or with `{ error }`.
 */
import { runContentJob, runLoadJob } from './lib/load-jobs.mjs';

const JOBS = { load: runLoadJob, content: runContentJob };

process.on('message', async ({ kind, ...job }) => {
  try {
    process.send(await JOBS[kind](job));
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.once('disconnect', () => process.exit(0));
