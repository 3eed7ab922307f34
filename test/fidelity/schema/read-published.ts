import path from 'node:path';
import ts from 'typescript';
import type { Field, ObjectShape, PublishedRoute, Shape } from './shape.ts';

const FILE = path.join(import.meta.dirname, 'published.ts');

/** The forms that an interface of published.ts declares, by route. @param sources an SDK's sources by its package, in place of the installed types */
export function readPublished(
  name: 'Published' | 'PublishedBetas' = 'Published',
  sources: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, PublishedRoute> {
  const program = ts.createProgram([FILE], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    paths: Object.fromEntries(Object.entries(sources).map(([sdk, file]) => [sdk, [file]])),
  });
  const source = program.getSourceFile(FILE);
  const declared = source?.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  );
  if (!declared) throw new Error(`no interface ${name}`);
  const checker = program.getTypeChecker();
  const reader = new ShapeReader(checker);
  const routes = checker.getTypeAtLocation(declared).getProperties();
  return new Map(routes.map((route) => [route.name, reader.route(checker.getTypeOfSymbol(route), route.name)]));
}

class ShapeReader {
  private readonly checker: ts.TypeChecker;
  private readonly known = new Map<ts.Type, ObjectShape>();

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  route(type: ts.Type, name: string): PublishedRoute {
    const {
      request = NOTHING,
      answer,
      event,
    } = Object.fromEntries(
      type.getProperties().map((part) => [part.name, this.shape(this.checker.getTypeOfSymbol(part))]),
    );
    // A type that was not found is `any`, and would leave nothing to test.
    if (request?.kind !== 'object' || (answer !== undefined && answer.kind !== 'object' && answer.kind !== 'union'))
      throw new Error(`${name}: a type was not found`);
    return { request, ...(answer && { answer }), ...(event && { event }) };
  }

  private shape(type: ts.Type): Shape {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return { kind: 'unknown' };
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { kind: 'literal', value: this.checker.typeToString(type) === 'true' };
    }
    if (flags & ts.TypeFlags.BooleanLike) return { kind: 'boolean' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if (flags & ts.TypeFlags.StringLike) return { kind: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { kind: 'number' };
    if (flags & ts.TypeFlags.Null) return { kind: 'null' };
    if (type.isUnion()) return this.union(type.types);
    // `string & {}`: any string, beside some that are known.
    if (type.isIntersection() && type.types.some((one) => one.flags & ts.TypeFlags.String)) return { kind: 'string' };
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const items = this.checker.getTypeArguments(type as ts.TypeReference);
      return { kind: 'array', items: this.union(items) };
    }
    return this.object(type);
  }

  private union(types: readonly ts.Type[]): Shape {
    const defined = types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const shapes = defined.map((type) => this.shape(type));
    const literals = shapes.filter((one) => one.kind === 'literal' && typeof one.value === 'boolean');
    const members = literals.length < 2 ? shapes : [...shapes.filter((one) => !literals.includes(one)), BOOLEAN];
    return members.length === 1 ? (members[0] as Shape) : { kind: 'union', members };
  }

  private object(type: ts.Type): Shape {
    const fields = type.getProperties().filter((property) => !this.isMethod(property));
    const index = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (fields.length === 0) return index ? { kind: 'map', values: this.shape(index) } : { kind: 'unknown' };
    const known = this.known.get(type);
    if (known) return known;
    const name = type.aliasSymbol?.name ?? type.symbol?.name ?? '';
    const shape: ObjectShape = {
      kind: 'object',
      name: name === '__type' ? '' : name,
      fields: new Map<string, Field>(),
    };
    this.known.set(type, shape);
    if (index) shape.others = this.shape(index);
    for (const field of fields) {
      const optional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      shape.fields.set(field.name, { shape: this.shape(this.checker.getTypeOfSymbol(field)), optional });
    }
    return shape;
  }

  /** What an SDK adds to a type for its callers' comfort is on no wire. */
  private isMethod(property: ts.Symbol): boolean {
    if (property.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) return true;
    return this.checker.getTypeOfSymbol(property).getCallSignatures().length > 0;
  }
}

/** The request of a route without a body or a query. */
const NOTHING: ObjectShape = { kind: 'object', name: '', fields: new Map<string, Field>() };
const BOOLEAN: Shape = { kind: 'boolean' };
