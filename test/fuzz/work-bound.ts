import type fc from 'fast-check';

/** A case may cost the serving process no more processor time than this, the first time that a path is run included. */
export const MOST_WORK_MS = 1_000;
/** What is over the bound once may have met a collection of garbage, or the compiler: the least of so many runs counts. */
const RUNS = 3;
const SHRINKING_MS = 20_000;

/** The property, failing too where one of its cases costs more work than the bound. Work is not time: a busy machine adds none. */
export function withWorkBound(property: fc.IAsyncProperty<unknown>, workedMs: () => number | undefined) {
  let slowest = 0;
  let failedAt: number | undefined;
  const worked = async (value: unknown) => {
    const before = workedMs() ?? 0;
    const failure = await property.run(value);
    return { failure, work: (workedMs() ?? 0) - before };
  };
  const bounded: fc.IAsyncProperty<unknown> = {
    ...property,
    isAsync: () => true,
    generate: (random, runId) => property.generate(random, runId),
    shrink: (value) => property.shrink(value),
    runBeforeEach: () => property.runBeforeEach(),
    runAfterEach: () => property.runAfterEach(),
    run: async (value) => {
      // Runs after a failure shrink its case. After the deadline they pass, so that the failure is kept.
      if (failedAt !== undefined && performance.now() - failedAt > SHRINKING_MS) return null;
      let { failure, work } = await worked(value);
      for (let run = 1; run < RUNS && work > MOST_WORK_MS && failure === null; run += 1) {
        const again = await worked(value);
        failure = again.failure;
        work = Math.min(work, again.work);
      }
      slowest = Math.max(slowest, work);
      if (failure === null && work <= MOST_WORK_MS) return null;
      failedAt ??= performance.now();
      if (failure !== null) return failure;
      return { error: new Error(`it took ${work} ms of work`) };
    },
  };
  return { property: bounded, slowestMs: () => slowest };
}
