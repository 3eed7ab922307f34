/**
 * The load generator, a process of its own so that its CPU time is nobody else's. It is forked, gets one job at a time as
 * a message and answers with what lib/load-jobs.mjs measured, or with `{ error }`.
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
