/** Reasons by place of a form, including everything inside it; `*.name`: this name anywhere; `=place`: only this place. */
export type Reasons = Readonly<Record<string, string>>;

type Path = readonly (string | number)[];

/** `messages[].content[].text` */
export function placeOf(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? '[]' : `${at > 0 ? '.' : ''}${step}`)).join('');
}

/** Whether a path leads to a place of reasons, or into it. */
export function isAt(path: Path, place: string): boolean {
  const found = placeOf(path);
  if (place.startsWith('=')) return found === place.slice(1);
  if (place.startsWith('*.')) return `.${found}.`.replaceAll('[]', '').includes(`${place.slice(1)}.`);
  return found.startsWith(place) && /^(?:$|[.[])/.test(found.slice(place.length));
}
