import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../bin/admin/program.ts';
import { type Field, OPERATIONS, toFields } from '../../functions/contract/index.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';

interface Served {
  /** Such as `listKeys ?search` and `createKey rateLimit.burst`. */
  readonly name: string;
  readonly field: Field;
}

/** Every query key and body field that the admin and analytics API takes. */
const SERVED: readonly Served[] = Object.entries(OPERATIONS).flatMap(([id, { query, body }]) => [
  ...(query === undefined ? [] : toFields(query).map((field) => ({ name: `${id} ?${field.name}`, field }))),
  ...(body === undefined ? [] : toFields(body.schema).flatMap((field) => withMembers(`${id} ${field.name}`, field))),
]);

/** A field; in place of an object whose members are set one by one, its members. */
function withMembers(name: string, field: Field): Served[] {
  const members = (field.fields ?? []).filter(({ option, label }) => option !== undefined || label !== undefined);
  const isSet = field.option !== undefined || field.label !== undefined || members.length === 0;
  return [
    ...(isSet ? [{ name, field }] : []),
    ...members.map((member) => ({ name: `${name}.${member.name}`, field: member })),
  ];
}

/** Why the command line or the dashboard has no place for a field; `*` is any text. */
const EXCEPTIONS: Readonly<Record<'option' | 'label', Readonly<Record<string, string>>>> = {
  option: {
    '* ?cursor': 'Commands read page after page.',
    'list* ?limit': 'Lists of keys and webhooks are short, and are read to their end.',
    'listKeys ?*': 'The list is short: terminals search it.',
    'listRequests ?*': 'No command lists requests; `events tail` follows them.',
    'listThreats ?*': 'The command has the filters of totals.',
    'getRequest ?time': 'No command reads one request.',
    'getSession ?keyId': 'No command reads one session.',
    'listKeyNames ?ids': 'Tables call it for their names.',
    'getPolicyScores ?*': 'For the histogram of the dashboard.',
    'getSummary ?interval': 'The option is that of the series.',
    'finishSingleSignOn ?*': 'For browsers.',
    'createDashboardSession key': 'For browsers.',
    'putPolicy *': 'The command takes the policy as a file.',
    'replayPolicy policy': 'An argument of the command.',
    'replayPolicy requestId': 'For the page of a request.',
    'replayPolicy cursor': 'The command reads page after page.',
    'rollbackPolicy version': 'An argument of the command.',
    'markThreat mark': 'An argument of the command.',
    'updateKey state': 'Commands of their own names: `keys enable` and `keys disable`.',
  },
  label: {
    '* ?cursor': 'Pages are read as they are scrolled.',
    '* ?limit': 'The page decides.',
    'getKey* ?*': 'A page of its own shows it.',
    'listKeys ?include': 'The page always has the totals.',
    'listRequests ?since': 'Another name of `from`.',
    'listRequests ?until': 'Another name of `to`.',
    'getSummary ?*': 'Charts decide.',
    'getTimeseries ?*': 'Charts decide.',
    'getRequest ?time': 'In the address of the page.',
    'getSession ?keyId': 'In the address of the page.',
    'listKeyNames ?ids': 'Tables call it for their names.',
    'getPolicy ?effective': 'A page of its own shows it.',
    'getPolicyScores ?*': 'Histograms decide.',
    'finishSingleSignOn ?*': 'The identity provider sets it.',
    'createDashboardSession key': 'The sign-in page has one field.',
    'putPolicy *': 'The policy page has an editor.',
    'rollbackPolicy version': 'A button beside the version.',
    'replayPolicy *': 'The replay page has an editor.',
    'rotate* graceSeconds': 'The dialog offers some times.',
    'testProvider model': 'A button beside the model.',
    'markThreat mark': 'Buttons.',
    'update* state': 'Buttons.',
  },
};

/** Whether a place lacks a field for a reason. */
function isExcepted(kind: keyof typeof EXCEPTIONS, name: string): boolean {
  return Object.keys(EXCEPTIONS[kind]).some((pattern) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  const escaped = pattern.replace(/[.?+^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`).test(name);
}

/** Fields that a place must have. */
const WITH_OPTION = SERVED.filter(({ name }) => !isExcepted('option', name));
const WITH_LABEL = SERVED.filter(({ name }) => !isExcepted('label', name));

describe('the OpenAPI document has', () => {
  const { paths, components } = openapiDocument() as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
  };

  test.each(Object.entries(OPERATIONS))('each parameter and field of %s', (_id, { method, path, query, body }) => {
    const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
    const keys = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(keys).toEqual(query === undefined ? [] : Object.keys(query.shape));
    const reference = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    const fields = Object.keys(components.schemas[reference]?.properties ?? {});
    expect(fields).toEqual(body === undefined ? [] : toFields(body.schema).map(({ name }) => name));
  });
});

interface DocumentedOperation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } };
}

describe('the command line has', () => {
  test('an option for each field, but for named exceptions', () => {
    expect(WITH_OPTION.filter(({ field }) => field.option === undefined).map(({ name }) => name)).toEqual([]);
  });

  test.each(WITH_OPTION)('the option of $name', ({ field: { option } }) => {
    const help = COMMANDS.flatMap(({ options }) => options[option?.name ?? '']?.help ?? []);
    expect(help).toContain(option?.help);
  });
});

describe('the dashboard has', () => {
  const source = sourceOf('../../dashboard/src/');

  test('a label for each field, but for named exceptions', () => {
    expect(WITH_LABEL.filter(({ field }) => field.label === undefined).map(({ name }) => name)).toEqual([]);
  });

  test.each(WITH_LABEL)('the label of $name', ({ field: { label } }) => {
    expect(source.includes(`"${label}"`) || source.includes(`'${label}'`)).toBe(true);
  });
});

test.each(['option', 'label'] as const)('each exception of the kind %s is needed', (kind) => {
  const lacking = SERVED.filter(({ field }) => field[kind] === undefined);
  const unused = Object.keys(EXCEPTIONS[kind]).filter((pattern) => !lacking.some(({ name }) => matches(pattern, name)));
  expect(unused).toEqual([]);
});

function sourceOf(folder: string): string {
  const root = new URL(folder, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => readFileSync(new URL(name, root), 'utf8'))
    .join('\n');
}
