import type { ObjectShape, Shape } from './shape.ts';

type Step = string | number;

/** A place of a value in a published form, and how to build a complete value with it. */
export interface Leaf {
  readonly path: readonly Step[];
  /** `path` with the kinds of the objects on the way: `messages[0]<ChatCompletionUserMessageParam>.content`. */
  readonly name: string;
  /** `name`: a member's name, where any name is allowed. */
  readonly kind: 'string' | 'number' | 'boolean' | 'literal' | 'unknown' | 'name';
  /** Members that a kind of object needs beyond its type. */
  readonly kinds?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether to skip an object that is again under the same field of the same kind of object. */
  readonly brief?: true;
  /** Allowed values with different meanings; undefined omits the field. */
  readonly values: readonly unknown[];
  /** The complete value with this value in its place and no other optional fields. */
  whole(value: unknown): unknown;
}

/** Requirements of a form beyond its types, by field name. */
export interface Demands {
  /** Default values of required fields. */
  readonly least?: Readonly<Record<string, unknown>>;
  /** Members that a kind of object needs beyond its type. */
  readonly kinds?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether to skip an object that is again under the same field of the same kind of object. */
  readonly brief?: true;
  /** Values for a field, instead of generated ones. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** Longer paths reach only kinds of objects that shorter ones have reached. */
const MAX_DEPTH = 24;

/**
 * Every place of a published form: each field of each member of each union, once for each path to it. An object that contains
 * another of the same kind is followed once.
 */
export function leavesOf(shape: Shape, demands: Demands = {}): Leaf[] {
  return [...walk(shape, { path: [], name: '', demands, above: [], followed: new Set() }, (value) => value)];
}

/** The smallest value of a form: only required fields. */
export function leastOf(shape: Shape, demands: Demands = {}): unknown {
  return least(shape, demands, []);
}

interface Place {
  readonly path: readonly Step[];
  readonly name: string;
  readonly demands: Demands;
  readonly above: readonly ObjectShape[];
  /** Objects that were followed, under the field of their kind, if `brief` is set. */
  readonly followed: Set<string>;
}

type Whole = (value: unknown) => unknown;

function* walk(shape: Shape, place: Place, whole: Whole): Generator<Leaf> {
  const leaf = (kind: Leaf['kind'], usual: readonly unknown[]): Leaf => {
    const values = place.demands.values?.[String(place.path.findLast((step) => typeof step === 'string'))] ?? usual;
    return { path: place.path, name: place.name, kind, values, whole };
  };
  switch (shape.kind) {
    case 'string':
      yield leaf('string', ['first', 'other']);
      return;
    case 'number':
      yield leaf('number', [41, 42]);
      return;
    case 'boolean':
      yield leaf('boolean', [true, false]);
      return;
    case 'unknown':
      yield leaf('unknown', [{ note: 'first' }, { note: 'other' }]);
      return;
    case 'null':
      return;
    case 'literal':
      yield leaf('literal', [shape.value, undefined]);
      return;
    case 'array':
      yield* walk(shape.items, stepTo(place, 0), (value) => whole(value === undefined ? [] : [value]));
      return;
    case 'map':
      yield* walk(shape.values, stepTo(place, 'note'), (value) => whole({ note: value }));
      yield {
        ...leaf('name', ['first', 'other']),
        whole: (name) => whole({ [String(name)]: least(shape.values, place.demands, place.above) }),
      };
      return;
    case 'union':
      yield* walkUnion(shape.members, place, whole);
      return;
    case 'object':
      yield* walkObject(shape, place, whole);
  }
}

/** Fixed words together are one place with that many values; beside any string they are strings. */
function* walkUnion(members: readonly Shape[], place: Place, whole: Whole): Generator<Leaf> {
  const words = members.flatMap((one) => (one.kind === 'literal' ? [one.value] : []));
  const isOpen = members.some(({ kind }) => kind === 'string');
  if (words.length > 0 && !isOpen) {
    const values = words.length === 1 ? [words[0], undefined] : words;
    yield { path: place.path, name: place.name, kind: 'literal', values, whole };
  }
  for (const member of members) if (member.kind !== 'literal') yield* walk(member, place, whole);
}

function* walkObject(shape: ObjectShape, place: Place, whole: Whole): Generator<Leaf> {
  const above = [...place.above, shape];
  if (place.above.includes(shape) || above.length > MAX_DEPTH) return;
  if (place.demands.brief) {
    const under = place.path.findLast((step) => typeof step === 'string');
    const edge = `${place.above.at(-1)?.name}.${under} ${shape.name} ${[...shape.fields.keys()]}`;
    if (place.followed.has(edge)) return;
    place.followed.add(edge);
  }
  const named = { ...place, above, name: shape.name === '' ? place.name : `${place.name}<${shape.name}>` };
  const base = least(shape, place.demands, place.above) as Record<string, unknown>;
  // The word that says which member of a union an object is: it is there in each of its other fields' samples.
  const told = [...shape.fields].filter(([, { shape: inner, optional }]) => optional || inner.kind !== 'literal');
  if (told.length === 0)
    yield { path: place.path, name: named.name, kind: 'literal', values: [base, undefined], whole };
  for (const [field, { shape: inner }] of told) {
    yield* walk(inner, stepTo(named, field), (value) => whole({ ...base, [field]: value }));
  }
}

function stepTo(place: Place, step: Step): Place {
  const name = typeof step === 'number' ? `[${step}]` : `${place.name === '' ? '' : '.'}${step}`;
  return { ...place, path: [...place.path, step], name: place.name + name };
}

function least(shape: Shape, demands: Demands, above: readonly ObjectShape[]): unknown {
  switch (shape.kind) {
    case 'string':
      return 'words';
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'literal':
      return shape.value;
    case 'unknown':
    case 'map':
      return {};
    case 'array':
      return above.length > MAX_DEPTH ? [] : [least(shape.items, demands, above)];
    case 'union':
      return least((shape.members.find(({ kind }) => kind !== 'null') ?? shape.members[0]) as Shape, demands, above);
    case 'object': {
      const fields = [...shape.fields].filter(([, { optional }]) => !optional);
      const values = fields.map(([name, field]) => [
        name,
        Object.hasOwn(demands.least ?? {}, name)
          ? demands.least?.[name]
          : least(field.shape, demands, [...above, shape]),
      ]);
      return { ...Object.fromEntries(values), ...demands.kinds?.[shape.name] };
    }
  }
}
