import type { ObjectShape, PublishedRoute, Shape } from './shape.ts';

type JsonSchema = Record<string, unknown>;

/** An OpenAPI document of these routes with closed objects, so that a validating server refuses unpublished fields; `forms` are routes without a JSON body, with the field of their file. */
export function toOpenApi(
  routes: readonly (readonly [string, PublishedRoute])[],
  forms: ReadonlyMap<string, string> = new Map(),
): object {
  // Types do not distinguish integers. Numbers of a response are integers here, so that counts are valid.
  const [asked, given] = [new SchemaWriter('Asked', 'number'), new SchemaWriter('Given', 'integer')];
  const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
  const paths: Record<string, Record<string, { requestBody?: { content: JsonSchema } }>> = {};
  for (const [name, { request, answer }] of routes) {
    const [method = '', path = ''] = name.split(' ');
    const fileField = forms.get(name);
    const content = fileField === undefined ? json(asked.schema(request)) : formOf(fileField);
    const known = paths[path]?.[method.toLowerCase()]?.requestBody?.content;
    const fields = request.kind === 'object' ? [...request.fields] : [];
    const query = method === 'POST' ? [] : fields;
    const hasBody = method === 'POST' && fields.length > 0;
    const operation = {
      parameters: [
        ...[...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => ({ name: id, in: 'path', required: true, schema: STRING })),
        ...query.map(([field, { shape }]) => ({ name: field, in: 'query', schema: asked.schema(shape) })),
      ],
      ...(hasBody && { requestBody: { required: true, content: { ...known, ...content } } }),
      responses: { 200: { description: 'An answer.', content: answer ? json(given.schema(answer)) : AUDIO } },
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'What is published', version: '1' },
    paths,
    components: { schemas: { ...asked.written, ...given.written } },
  };
}

/** The fields of a form are strings by what they are called: no published type says how they are written. */
function formOf(fileField: string): JsonSchema {
  return { 'multipart/form-data': { schema: { type: 'object', required: [fileField] } } };
}

const STRING = { type: 'string' };
const AUDIO = { 'audio/mpeg': { schema: { type: 'string', format: 'binary' } } };

class SchemaWriter {
  readonly written: Record<string, JsonSchema> = {};
  private readonly names = new Map<ObjectShape, string>();
  private readonly prefix: string;
  private readonly number: 'number' | 'integer';

  constructor(prefix: string, number: 'number' | 'integer') {
    this.prefix = prefix;
    this.number = number;
  }

  schema(shape: Shape): JsonSchema {
    switch (shape.kind) {
      case 'unknown':
        return {};
      case 'literal':
        return { const: shape.value };
      case 'array':
        return { type: 'array', items: this.schema(shape.items) };
      case 'map':
        return { type: 'object', additionalProperties: this.schema(shape.values) };
      case 'union':
        return { anyOf: shape.members.map((member) => this.schema(member)) };
      case 'object':
        return { $ref: `#/components/schemas/${this.nameOf(shape)}` };
      case 'number':
        return { type: this.number };
      default:
        return { type: shape.kind };
    }
  }

  private nameOf(shape: ObjectShape): string {
    const known = this.names.get(shape);
    if (known !== undefined) return known;
    const name = `${this.prefix}${shape.name}${this.names.size}`;
    this.names.set(shape, name);
    const fields = [...shape.fields];
    this.written[name] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(([field, { shape: inner }]) => [field, this.schema(inner)])),
      required: fields.filter(([, { optional }]) => !optional).map(([field]) => field),
      additionalProperties: shape.others ? this.schema(shape.others) : false,
    };
    return name;
  }
}
