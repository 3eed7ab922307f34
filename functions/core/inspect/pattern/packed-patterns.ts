import { fillRuns } from './alphabet.ts';
import type { Classes, LinkedPatterns } from './automaton.ts';
import { columnsOf } from './columns.ts';

/**
 * Linked patterns as bytes which a start takes as they are: arrays one behind the other, that nothing has to be read from number
 * by number. For a machine of the kind that packed them, which keeps the lower byte first as all do that Node runs on but one.
 */
export function packPatterns(linked: LinkedPatterns): Uint8Array {
  const { alphabet, rowLength, patternCount } = linked;
  const lists = [...new Set(linked.classesOfRow.flat())];
  const numberOf = new Map(lists.map((list, number) => [list, number]));
  const { columnOf, classIn } = columnsOf(linked, { first: 0, end: linked.stateCount, isCommon: true });
  const arrays: Arrays = {
    sizes: Int32Array.of(alphabet.classCount, rowLength, patternCount),
    starts: alphabet.starts,
    classOfRun: Int32Array.from(alphabet.starts, (start) => alphabet.classOf[start] as number),
    wordClasses: Int32Array.from(alphabet.wordClasses),
    firstState: linked.firstState,
    firstStep: linked.firstStep,
    stepTarget: linked.stepTarget,
    stepRow: linked.stepRow,
    common: Int32Array.from(linked.common),
    listEnds: Int32Array.from(endsOf(lists)),
    listClasses: Int32Array.from(lists.flatMap((list) => [...list])),
    listOfRow: Int32Array.from(linked.classesOfRow.flat(), (list) => numberOf.get(list) as number),
    classIn: Int32Array.from(classIn),
    columnOf,
    accepts: linked.accepts,
    sideOf: alphabet.sideOf,
    flags: linked.flags,
    isRare: linked.isRare,
    allowed: linked.allowed,
  };
  const parts = LAYOUT.map(([name]) => arrays[name]);
  const lengths = Int32Array.from(parts, ({ length }) => length);
  return new Uint8Array(Buffer.concat([lengths, ...parts].map(padded)));
}

/** What was packed; its arrays are the bytes' own. */
export function unpackPatterns(bytes: Uint8Array): LinkedPatterns {
  // An Int32Array can begin at every fourth byte only.
  const { buffer, byteOffset } = bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes);
  const lengths = new Int32Array(buffer, byteOffset, LAYOUT.length);
  let at = byteOffset + lengths.byteLength;
  const arrays = Object.fromEntries(
    LAYOUT.map(([name, Of], part) => {
      const array = new Of(buffer as ArrayBuffer, at, lengths[part]);
      at += Math.ceil(array.byteLength / ALIGNMENT) * ALIGNMENT;
      return [name, array];
    }),
  ) as unknown as Arrays;
  const { sizes, starts, classOfRun, listEnds, listClasses, listOfRow, firstState, classIn, columnOf } = arrays;
  const [classCount, rowLength, patternCount] = sizes as unknown as [number, number, number];
  const classOf = classCount <= 0x100 ? new Uint8Array(UNITS) : new Uint16Array(UNITS);
  fillRuns(classOf, starts, (run) => classOfRun[run] as number);
  const stateCount = firstState[patternCount] as number;
  const patternOf = new Int32Array(stateCount);
  for (let pattern = 0; pattern < patternCount; pattern++) {
    patternOf.fill(pattern, firstState[pattern], firstState[pattern + 1]);
  }
  const lists: Classes[] = [];
  for (const end of listEnds) lists.push(listClasses.subarray(listEnds[lists.length - 1] ?? 0, end));
  const classesOfRow: Classes[][] = [];
  for (let entry = 0; entry < listOfRow.length; entry += SIDE_COUNT) {
    classesOfRow.push(Array.from(listOfRow.subarray(entry, entry + SIDE_COUNT), (list) => lists[list] as Classes));
  }
  const { wordClasses, sideOf, common, ...rest } = arrays;
  return {
    alphabet: { classOf, starts, classCount, sideOf, wordClasses },
    patternCount,
    stateCount,
    rowLength,
    classesOfRow,
    patternOf,
    firstState,
    firstStep: rest.firstStep,
    stepTarget: rest.stepTarget,
    stepRow: rest.stepRow,
    accepts: rest.accepts,
    flags: rest.flags,
    isRare: rest.isRare,
    allowed: rest.allowed,
    common,
    commonColumns: { columnOf, classIn },
  };
}

const UNITS = 0x10000;
const SIDE_COUNT = 3;
const ALIGNMENT = 4;

/** The arrays in the order in which they lie there, behind the list of their lengths; each begins at a fourth byte. */
const LAYOUT = [
  ['sizes', Int32Array],
  ['starts', Int32Array],
  ['classOfRun', Int32Array],
  ['wordClasses', Int32Array],
  ['firstState', Int32Array],
  ['firstStep', Int32Array],
  ['stepTarget', Int32Array],
  ['stepRow', Int32Array],
  ['common', Int32Array],
  ['listEnds', Int32Array],
  ['listClasses', Int32Array],
  ['listOfRow', Int32Array],
  ['classIn', Int32Array],
  ['columnOf', Uint16Array],
  ['accepts', Uint16Array],
  ['sideOf', Uint8Array],
  ['flags', Uint8Array],
  ['isRare', Uint8Array],
  ['allowed', Uint8Array],
] as const;

type Arrays = {
  readonly [Entry in (typeof LAYOUT)[number] as Entry[0]]: Entry[1] extends typeof Int32Array
    ? Int32Array
    : Entry[1] extends typeof Uint16Array
      ? Uint16Array
      : Uint8Array;
};

function endsOf(lists: readonly Classes[]): number[] {
  let end = 0;
  return lists.map(({ length }) => {
    end += length;
    return end;
  });
}

function padded(array: ArrayBufferView): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(array.byteLength / ALIGNMENT) * ALIGNMENT);
  bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return bytes;
}
