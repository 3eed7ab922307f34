import type { Reasons } from './reasons.ts';

const OF_NO_KEY = 'no route gives ids of files, so no key may name one';

/**
 * Fields that the gateway refuses by their names though the provider takes them, each with its reason, by route. A reason that
 * excuses nothing fails the test.
 */
export const REFUSED: Readonly<Record<string, Reasons>> = {
  'POST /v1/responses': {
    background: 'its answer would be fetched past inspection',
    conversation: 'no route makes conversations, so no key may name one',
    'input[].content[].file_id': OF_NO_KEY,
    'input[].output.file_id': OF_NO_KEY,
    'input[].output[].file_id': OF_NO_KEY,
    'prompt.variables.note.file_id': OF_NO_KEY,
    'tools[].container.file_ids': OF_NO_KEY,
    'tools[].environment.file_ids': OF_NO_KEY,
    'tools[].input_image_mask.file_id': OF_NO_KEY,
    'input[].tools[].container.file_ids': OF_NO_KEY,
    'input[].tools[].environment.file_ids': OF_NO_KEY,
    'input[].tools[].input_image_mask.file_id': OF_NO_KEY,
  },
};
