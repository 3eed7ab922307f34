import { expect, test } from '@jest/globals';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { ROUTES } from '../fidelity/routes.ts';

test('every route that takes a body has an entry where its fields are held against what is published', () => {
  const { paths } = openapiDocument() as unknown as { readonly paths: Readonly<Record<string, object>> };
  const served = Object.entries(paths).flatMap(([path, item]) =>
    'post' in item && !/^\/v1\/(?:admin|analytics)\//.test(path) ? [`POST ${path}`] : [],
  );
  expect(Object.keys(ROUTES).sort()).toEqual(served.sort());
});
