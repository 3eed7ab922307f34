import { field, file, type WrittenPart, writtenForm } from '../../functions/kernel/json/form.fixture.ts';

const BOUNDARY = 'between-parts';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with these fields and a file, written as OpenAI's client writes one: `include[]`, `chunking_strategy[type]`. */
export function toForm(fields: Readonly<Record<string, unknown>>, fileField: string): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => partsOf(name, value));
  return writtenForm([file('RIFF', 'a.wav', fileField), ...parts], BOUNDARY).toString();
}

function partsOf(name: string, value: unknown): WrittenPart[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => partsOf(`${name}[]`, item));
  if (typeof value !== 'object') return [field(name, String(value))];
  return Object.entries(value).flatMap(([member, item]) => partsOf(`${name}[${member}]`, item));
}
