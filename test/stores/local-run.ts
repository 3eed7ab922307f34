import { test } from '@jest/globals';
import { ON_AWS_STORES } from './on-aws-stores.ts';

/**
 * A test of what only the local run has, or a process without AWS's credentials: embedded stores in its data folder, and its first screen.
 * A container with tables in AWS is not asked for it.
 */
export const testOfLocalRun = ON_AWS_STORES ? test.skip : test;
