import * as z from 'zod';
import type { FieldOption } from '../kernel/model/index.ts';
import { laxPage, listOf } from './fields.ts';
import type { AdminAccess } from './operation.ts';

/** What every document shows besides its content. */
export const versionFields = {
  version: z.int().min(0),
  createdAt: z.iso.datetime().nullable(),
  /** Id of the key, or the person's e-mail address or subject. */
  createdBy: z.string().nullable(),
};

const ignored = z
  .unknown()
  .optional()
  .meta({ description: 'Ignored, so that a version can be written back unchanged.' });
/** The fields of a version that a write ignores. */
export const ignoredFields = { object: ignored, version: ignored, createdAt: ignored, createdBy: ignored };

/** The query of a list of versions. */
const versionsQuery = z.object({
  ...laxPage,
  limit: laxPage.limit.meta({
    ...laxPage.limit.meta(),
    option: { name: 'limit', format: 'count', value: 'N', help: 'Maximum number. Default: 20.' },
  }),
});

/** The `{version}` of a path. */
const versionParams = z.object({
  version: z.string().meta({ description: 'The number of the version.', wire: { type: 'integer', minimum: 0 } }),
});

const tag = z.string();
/** A write replaces any version without the header. */
export const ifMatch = z.object({
  'If-Match': tag.optional().meta({
    description: 'The `ETag` of the version to replace, or a list of some; `*` and no header replace any version.',
  }),
});
/** A write needs the version that it replaces. */
export const ifMatchRequired = z.object({
  'If-Match': tag.meta({ description: 'The `ETag` of the version to replace, or a list of some; `*` replaces any.' }),
});

/** The query of a document that is shown as stored, or every value in force. */
export function effectiveQuery(description: string, option?: FieldOption) {
  return z.strictObject({
    effective: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((written) => written === 'true')
      .meta({ description, ...(option && { option }) }),
  });
}

/** A document as its operations describe it. */
interface DescribedDocument<Version> {
  readonly path: string;
  /** In the ids of schemas: `Routes`. */
  readonly id: string;
  /** In sentences: `the deployment's routes`. */
  readonly title: string;
  /** What version 0 is: `the routes of the settings`. */
  readonly first: string;
  readonly version: Version;
  readonly example: object;
  /** The permission for its versions. */
  readonly access: AdminAccess;
}

/** The response with a version of a document, and the operations on its versions. */
export function documentOperations<Version extends z.ZodType>(document: DescribedDocument<Version>) {
  const { path, id, title, first, version, example, access } = document;
  const oneVersion = { description: 'The version.', body: version, example, headers: ['ETag'] } as const;
  const all = { tag: 'Admin', access, scope: 'deployment' } as const;
  return {
    oneVersion,
    rollback: {
      ...all,
      method: 'POST',
      path: `${path}/rollback`,
      summary: `Roll ${title} back`,
      description:
        'Creates a new version with the content of an old one. A version that is no longer valid is a 400: correct it and save it with `PUT`.',
      headers: ifMatch,
      body: {
        schema: z
          .strictObject({
            version: z
              .int()
              .min(0)
              .meta({ description: `The version to restore; 0: ${first}.` }),
          })
          .meta({ id: `Rollback${id}` }),
        examples: { rollback: { value: { version: 3 } } },
      },
      response: oneVersion,
      errors: ['not_found', 'conflict', 'version_conflict'],
    },
    versions: {
      ...all,
      method: 'GET',
      path: `${path}/versions`,
      summary: `List versions of ${title}`,
      description: 'Newest first.',
      query: versionsQuery,
      response: {
        description: 'A page of versions.',
        body: listOf(version).meta({
          id: `${id}VersionList`,
          description: `A page of versions of ${title}, newest first.`,
        }),
        example: { object: 'list', data: [example], nextCursor: null },
      },
    },
    version: {
      ...all,
      method: 'GET',
      path: `${path}/versions/{version}`,
      summary: `Read a version of ${title}`,
      description: `Version 0: ${first}.`,
      params: versionParams,
      response: { description: 'The version.', body: version, example },
      errors: ['not_found'],
    },
  } as const;
}
