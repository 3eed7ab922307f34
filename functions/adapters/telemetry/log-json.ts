/** What JSON leaves as it is, and a terminal or a reader of lines would act on: C1 controls, line ends, reordering, invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON of which every character is seen. */
export function toLogJson(value: object | string): string {
  return JSON.stringify(value).replace(UNSEEN, escapedUnits);
}

function escapedUnits(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
