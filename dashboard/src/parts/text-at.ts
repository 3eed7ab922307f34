/** A member's name, or an index in brackets; a name may hold anything but these signs. */
const STEP = /\.?([^.[\]]+)|\[(\d+)\]/y;

/** The text at a path such as `messages[1].content[0].text` in parsed JSON; undefined where there is none. */
export function textAt(value: unknown, path: string): string | undefined {
  let here = value;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path);
    if (step === null) return undefined;
    const name = step[1] ?? (step[2] as string);
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return typeof here === 'string' ? here : undefined;
}
