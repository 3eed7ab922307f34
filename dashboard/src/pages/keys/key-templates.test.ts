import { expect, it } from '@jest/globals';
import { createKeySchema } from '../../../../functions/kernel/model/index.ts';
import { toKeyBody } from './key-form.ts';
import { fromTemplate, KEY_TEMPLATES } from './key-templates.ts';

it.each(KEY_TEMPLATES.map(({ id }) => id))('the template %s is a valid key', (id) => {
  const made = toKeyBody(fromTemplate(id, 'Shop'));
  expect('body' in made && createKeySchema.safeParse(made.body).error).toBeUndefined();
  expect('body' in made && made.body.name).toBe('Shop');
});

it('only the analytics reader has the permission analytics, and none has admin', () => {
  const permissions = KEY_TEMPLATES.map(
    ({ id }) => [id, fromTemplate(id, '').permissions as readonly string[]] as const,
  );
  expect(permissions.filter(([, all]) => all.includes('analytics')).map(([id]) => id)).toEqual(['analytics']);
  expect(permissions.some(([, all]) => all.includes('admin'))).toBe(false);
});
