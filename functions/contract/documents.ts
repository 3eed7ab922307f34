import * as z from 'zod';
import { laxPage } from './fields.ts';

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
export const versionsQuery = z.object({
  ...laxPage,
  limit: laxPage.limit.meta({
    ...laxPage.limit.meta(),
    option: { name: 'limit', format: 'count', value: 'N', help: 'Maximum number. Default: 20.' },
  }),
});

/** The `{version}` of a path. */
export const versionParams = z.object({
  version: z.string().meta({ description: 'The number of the version.', wire: { type: 'integer', minimum: 0 } }),
});

const tag = z.string();
/** A write replaces any version without the header. */
export const ifMatch = z.object({
  'If-Match': tag
    .optional()
    .meta({ description: 'The `ETag` of the version to replace. Without it, any version is replaced.' }),
});
/** A write needs the version that it replaces. */
export const ifMatchRequired = z.object({
  'If-Match': tag.meta({ description: 'The `ETag` of the version to replace; `*` replaces any.' }),
});
