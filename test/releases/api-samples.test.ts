import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { DOCUMENTED } from '../../scripts/openapi/operations.ts';

/** Queries, bodies and responses of an operation, as an earlier release took and returned them; secrets are replaced. */
interface ApiSamples {
  readonly queries: readonly Readonly<Record<string, string>>[];
  readonly requests: readonly unknown[];
  readonly responses: readonly unknown[];
}

const FOLDER = path.join(import.meta.dirname, 'api');
const SAMPLES = readdirSync(FOLDER).flatMap((file) => {
  const all = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Readonly<Record<string, ApiSamples>>;
  return Object.entries(all).map(([id, samples]) => [id, file, samples] as const);
});

/** Operations with another name since. */
const RENAMED: Readonly<Record<string, string>> = { listRoutes: 'getRoutes' };

test.each(SAMPLES)('%s takes and returns what it did in %s', (id, file, { queries, requests, responses }) => {
  const operation = DOCUMENTED.find((one) => one.id === (RENAMED[id] ?? id));
  expect(operation).toBeDefined();
  for (const query of queries) expect(operation?.query?.safeParse(query).error).toBeUndefined();
  for (const request of requests) expect(operation?.body?.schema.safeParse(request).error).toBeUndefined();
  const body = operation?.response.body;
  if (body === undefined) return;
  for (const response of responses) {
    const { error, data } = z.union([body].flat()).safeParse(response);
    expect(error?.issues.map((issue) => faultOf(issue, file)) ?? []).toEqual([]);
    // A schema drops fields that it does not know, and none may be unknown by now.
    expect(data).toEqual(response);
  }
});

function faultOf({ path, message }: z.core.$ZodIssue, file: string): string {
  return `${path.join('.')}: ${message}. The response in ${file} must still parse: make a new field .optional() in the schema of the response.`;
}
