/** A time as `<input type="datetime-local">` has it, in the reader's zone. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** What such a field holds as ISO 8601; undefined where it is empty or half filled in. */
export function fromLocalInput(text: string): string | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
