import { test } from '@jest/globals';

/** Whether this run is of a container with tables in AWS: SVC_TEST_STORE=aws (test/container/run-aws-stores.mjs). */
export const ON_AWS_STORES = process.env.SVC_TEST_STORE === 'aws';

/**
 * A test of what only the local run has, or a process without AWS's credentials: embedded stores in its data folder, and its first screen.
 * A container with tables in AWS is not asked for it.
 */
export const testOfLocalRun = ON_AWS_STORES ? test.skip : test;
