import type { BodyOf } from '../../../../functions/contract/index.ts';
import type { ProviderView } from '../../api/client.ts';
import { type FormField, OPERATIONS } from '../../api/operations.ts';
import { type Form, type Made, toBody } from '../../components/field-form.ts';

type Routes = BodyOf<'putRoutes'>['routes'];
type Route = Routes[number];

/** A route as the form has it: with its place among the other routes. */
export type PlacedRoute = Route & { readonly order: string };

const FIELDS = OPERATIONS.putRoutes.body.find(({ name }) => name === 'routes')?.fields ?? [];
const MISSING = { models: 'Enter an alias or a pattern.', provider: 'Choose a provider.' };

/** The fields of a route, with the providers to choose from and its place among `others`. */
export function routeFields(others: Routes, providers: readonly ProviderView[] | undefined): readonly FormField[] {
  const order: FormField = {
    ...{ name: 'order', kind: 'select', label: 'Order', isRequired: true },
    choices: ['0', ...others.map((_, at) => String(at + 1))],
    choiceLabels: Object.fromEntries([
      ['0', 'First'],
      ...others.map(({ models }, at) => [String(at + 1), `After ${models}`]),
    ]),
  };
  const choosing = (field: FormField): FormField => ({
    ...field,
    ...(field.fields && { fields: field.fields.map(choosing) }),
    ...(field.name === 'provider' && providers && providerChoice(others, providers)),
  });
  return [...FIELDS.map(choosing), order];
}

/** Those that can be called are first. A route may name others. */
function providerChoice(routes: Routes, providers: readonly ProviderView[]): Partial<FormField> {
  const callable = providers.filter(({ isCallable }) => isCallable).map(({ name }) => name);
  const named = routes.flatMap(({ targets, fallbacks = [] }) => [...targets, ...fallbacks].map((one) => one.provider));
  const choices = [...new Set([...callable, ...providers.map(({ name }) => name), ...named])];
  const labels = choices.map((name) => [name, callable.includes(name) ? name : `${name} (not configured)`]);
  return { kind: 'select', choices, choiceLabels: { '': 'Choose', ...Object.fromEntries(labels) } };
}

/** The route at a place, or an empty one after all others. */
export function placedRoute(routes: Routes, at: number | undefined): object {
  const route = at === undefined ? undefined : routes[at];
  return route === undefined ? { targets: [{}], order: String(routes.length) } : { ...route, order: String(at) };
}

export function toRoute(fields: readonly FormField[], form: Form): Made<PlacedRoute> {
  return toBody<PlacedRoute>(fields, form, MISSING);
}

/** All routes after a save: `others` with this one at its place. */
export function withRoute(others: Routes, { order, ...route }: PlacedRoute): Routes {
  return others.toSpliced(Number(order), 0, route);
}
