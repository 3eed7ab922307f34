const PROSE =
  'The old baker measured the wooden ladder near the harbour before breakfast, and nobody at the station knew who had borrowed it. ';
const CODE =
  'export function total(items: readonly Item[]): number {\n  // A price of none counts as nothing.\n  return items.reduce((sum, { price = 0 }, at) => sum + price * (at + 1), 0);\n}\n\n';
const MULTILINGUAL =
  'Der Zug fährt um halb neun ab. El tren sale a las ocho y media. Поезд отправляется в половине девятого. 列车八点半出发。 القطار يغادر في الثامنة والنصف. ट्रेन साढ़े आठ बजे चलती है। ';

/** Ordinary text of a kind, the `at`-th line telling its number, so that it is no repetition to the letter. */
export const ORDINARY_TEXTS = {
  prose: numbered((at) => `${PROSE}It was the ${at}th of them. `),
  code: numbered((at) => CODE.replace('total', `total${at}`)),
  JSON: numbered((at) => `{"id":${at},"name":"Lamp ${at}","tags":["desk","oak"],"price":${at % 90}.5,"sold":null}\n`),
  multilingual: numbered((at) => `${MULTILINGUAL}${at}. `),
} satisfies Readonly<Record<string, (length: number) => string>>;

function numbered(line: (at: number) => string) {
  return (length: number) => {
    let text = '';
    for (let at = 1; text.length < length; at++) text += line(at);
    return text.slice(0, length);
  };
}
