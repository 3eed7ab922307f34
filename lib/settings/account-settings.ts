import * as z from 'zod';
import type { StageSetting } from '../../functions/adapters/env.ts';

/** A stack has 50 tags at most, two of which are ours: https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
const MOST_TAGS = 48;
const TAG_CHARACTERS = 'must consist of letters, digits, spaces and _ . : / = + - @';
const tagName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{N} _.:/=+@-]*$/u, TAG_CHARACTERS)
  .refine((name) => !/^aws:/i.test(name), 'must not begin with aws:');
const tagValue = z
  .string()
  .max(256)
  .regex(/^[\p{L}\p{N} _.:/=+@-]*$/u, TAG_CHARACTERS);

/** What an organization prescribes for the stacks of its accounts. */
export const ACCOUNT_SETTINGS = {
  tags: {
    inStage: () =>
      z
        .record(tagName, tagValue)
        .refine((tags) => Object.keys(tags).length <= MOST_TAGS, `may have ${MOST_TAGS} names at most`),
    default: '`service` and `stage` only',
    example: { costCenter: '4711', owner: 'platform@example.com' },
    description: 'Tags of all stacks and their resources, beside `service` and `stage`, which they may replace',
  },
  bootstrapQualifier: {
    inStage: () => z.string().regex(/^[a-z0-9]{1,10}$/, 'must be 1 to 10 lower-case letters and digits'),
    default: "the CDK's, `hnb659fds`",
    example: 'platform1',
    description: 'The qualifier that the account [was bootstrapped with](deploy.md#a-landing-zone)',
  },
  permissionsBoundary: {
    inStage: () =>
      z
        .string()
        .regex(/^(?:[\w+=,.@-]{1,64}\/){0,8}[\w+=,.@-]{1,128}$/, 'must be the name of a managed policy of the account'),
    default: 'none',
    example: 'ou/workload-boundary',
    description:
      "The account's managed policy, with its path, that is the [permissions boundary](deploy.md#a-landing-zone) of all roles",
  },
} as const satisfies Readonly<Record<string, StageSetting>>;
