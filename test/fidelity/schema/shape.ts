/** The form of a JSON value, as a published type declares it. */
export type Shape =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly items: Shape }
  /** Members of any name. */
  | { readonly kind: 'map'; readonly values: Shape }
  | ObjectShape
  | { readonly kind: 'union'; readonly members: readonly Shape[] };

/** `fields` is filled after the object is made, since a type may hold itself. */
export interface ObjectShape {
  readonly kind: 'object';
  /** As its provider names the type; empty where it does not. */
  readonly name: string;
  readonly fields: Map<string, Field>;
  /** What members of other names hold; absent where there are none. */
  others?: Shape;
}

export interface Field {
  readonly shape: Shape;
  readonly optional: boolean;
}

/** What a route takes and gives, as its provider publishes it. */
export interface PublishedRoute {
  readonly request: Shape;
  /** Absent if it is bytes. */
  readonly answer?: Shape;
  /** The events of a stream; absent where the route has none. */
  readonly event?: Shape;
}
