import { OPS, type PDFPageProxy } from 'unpdf/pdfjs';

/** A book page has about 3,000; larger pages are not laid out. */
const MAX_GLYPHS = 200_000;
/** Glyphs are on one line if their baselines differ by less than this fraction of their size. */
const SAME_LINE = 0.4;
/** A gap above this fraction of the size separates words; less if a space is written between them. */
const WORD_GAP = 0.2;
const SPACE_GAP = 0.12;
/** Letters are spaced out if their gaps exceed this. */
const CLOSE_GAP = 0.05;
/** In spaced-out or fixed-width text, word gaps exceed the typical letter gap by this factor. */
const WIDER = 1.5;
const ALIKE = 1.05;

type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** A visible glyph in coordinates whose x axis runs along its line. */
interface Glyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** In quarter turns. */
  readonly turn: number;
  /** A space is written before it. */
  readonly isApart: boolean;
}

/** An operand of `showText` in pdf.js. */
interface ShownGlyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
}

interface TextState {
  matrix: Matrix;
  font: string;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  rise: number;
  leading: number;
}

/** The text of a page in visual order: lines from top to bottom, whatever the drawing order. Undefined if the page is too large. */
export async function layoutOf(page: PDFPageProxy): Promise<string | undefined> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const glyphs = new GlyphReader((font) => widthUnit(page, font));
  for (const [at, operator] of fnArray.entries()) {
    glyphs.read(operator, (argsArray[at] ?? []) as readonly unknown[]);
    if (glyphs.shown.length > MAX_GLYPHS) return undefined;
  }
  return linesOf(glyphs.shown)
    .map((line) => textOf(line))
    .join('\n');
}

/** The size of a font's width unit relative to its font size. */
function widthUnit(page: PDFPageProxy, font: string): number {
  const known = page.commonObjs.has(font)
    ? (page.commonObjs.get(font) as { fontMatrix?: readonly number[] })
    : undefined;
  return known?.fontMatrix?.[0] ?? 0.001;
}

/** Follows the operators of a page that place text. */
class GlyphReader {
  readonly shown: Glyph[] = [];
  private readonly unitOf: (font: string) => number;
  private state: TextState = {
    matrix: IDENTITY,
    font: '',
    size: 0,
    charSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    rise: 0,
    leading: 0,
  };
  private readonly saved: TextState[] = [];
  private text: Matrix = IDENTITY;
  private line: Matrix = IDENTITY;
  private isApart = false;

  constructor(unitOf: (font: string) => number) {
    this.unitOf = unitOf;
  }

  read(operator: number, args: readonly unknown[]): void {
    const { state } = this;
    const numbers = args as readonly number[];
    const [first = 0, second = 0] = numbers;
    switch (operator) {
      case OPS.save:
        this.saved.push({ ...state });
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        this.state = this.saved.pop() ?? state;
        break;
      case OPS.transform:
        state.matrix = times(state.matrix, matrixOf(numbers));
        break;
      case OPS.paintFormXObjectBegin:
        this.saved.push({ ...state });
        state.matrix = times(state.matrix, matrixOf((args[0] ?? IDENTITY) as readonly number[]));
        break;
      case OPS.beginText:
        this.moveTo(IDENTITY);
        break;
      case OPS.setTextMatrix:
        this.moveTo(matrixOf((typeof args[0] === 'number' ? args : args[0]) as ArrayLike<number>));
        break;
      case OPS.setLeadingMoveText:
        state.leading = -second;
        this.moveBy(first, second);
        break;
      case OPS.moveText:
        this.moveBy(first, second);
        break;
      case OPS.nextLine:
        this.moveBy(0, -state.leading);
        break;
      case OPS.setLeading:
        state.leading = -first;
        break;
      case OPS.setFont:
        Object.assign(state, { font: String(args[0]), size: second });
        break;
      case OPS.setGState:
        this.setGraphics(args[0] as readonly (readonly [string, unknown])[]);
        break;
      case OPS.setCharSpacing:
        state.charSpacing = first;
        break;
      case OPS.setWordSpacing:
        state.wordSpacing = first;
        break;
      case OPS.setHScale:
        state.scale = first / 100;
        break;
      case OPS.setTextRise:
        state.rise = first;
        break;
      case OPS.showText:
        this.show(args[0] as readonly (ShownGlyph | number)[]);
        break;
      default:
    }
  }

  private setGraphics(changes: readonly (readonly [string, unknown])[]): void {
    const font = changes.find(([name]) => name === 'Font')?.[1] as readonly [string, number] | undefined;
    if (font !== undefined) Object.assign(this.state, { font: String(font[0]), size: font[1] });
  }

  private moveTo(matrix: Matrix): void {
    this.text = matrix;
    this.line = matrix;
  }

  private moveBy(x: number, y: number): void {
    this.moveTo(times(this.line, [1, 0, 0, 1, x, y]));
  }

  private show(glyphs: readonly (ShownGlyph | number)[]): void {
    const { matrix, font, size, charSpacing, wordSpacing, scale, rise } = this.state;
    const unit = this.unitOf(font) * size;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        this.text = times(this.text, [1, 0, 0, 1, (-glyph / 1000) * size * scale, 0]);
        continue;
      }
      const width = glyph.width * unit * scale;
      if (glyph.unicode.trim() === '') this.isApart = true;
      else {
        this.shown.push(placed(glyph.unicode, times(matrix, this.text), { width, size, rise, isApart: this.isApart }));
        this.isApart = false;
      }
      const spacing = (charSpacing + (glyph.isSpace ? wordSpacing : 0)) * scale;
      this.text = times(this.text, [1, 0, 0, 1, width + spacing, 0]);
    }
  }
}

function placed(
  text: string,
  [a, b, c, d, e, f]: Matrix,
  { width, size, rise, isApart }: { width: number; size: number; rise: number; isApart: boolean },
): Glyph {
  const turn = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
  const [x, y] = [e + rise * c, f + rise * d];
  const [along, above] = (
    [
      [x, y],
      [y, -x],
      [-x, -y],
      [-y, x],
    ] as const
  )[turn] as readonly [number, number];
  return {
    text,
    x: along,
    y: above,
    width: width * Math.hypot(a, b),
    size: Math.abs(size) * Math.hypot(c, d),
    turn,
    isApart,
  };
}

function linesOf(glyphs: readonly Glyph[]): Glyph[][] {
  const lines: Glyph[][] = [];
  let last: Glyph | undefined;
  for (const glyph of glyphs.toSorted((one, other) => one.turn - other.turn || other.y - one.y)) {
    const isSame = last?.turn === glyph.turn && last.y - glyph.y < SAME_LINE * Math.max(last.size, glyph.size);
    if (isSame) lines.at(-1)?.push(glyph);
    else {
      lines.push([glyph]);
      last = glyph;
    }
  }
  return lines.map((line) => line.sort((one, other) => one.x - other.x));
}

function textOf(line: readonly Glyph[]): string {
  const isBreak = breaksOf(line);
  return line
    .map((glyph, at) => (at > 0 && isBreak(line[at - 1] as Glyph, glyph) ? ` ${glyph.text}` : glyph.text))
    .join('');
}

/** Returns a test for word breaks between two glyphs of a line, which also handles spaced-out and fixed-width text. */
function breaksOf(line: readonly Glyph[]): (before: Glyph, glyph: Glyph) => boolean {
  const pairs = line.slice(1).map((glyph, at): [Glyph, Glyph] => [line[at] as Glyph, glyph]);
  const gap = quartiles(pairs.map(([before, glyph]) => gapOf(before, glyph)));
  if (Math.max(gap.high, -gap.low) > CLOSE_GAP) {
    const advance = quartiles(pairs.map(([before, glyph]) => glyph.x - before.x));
    if (advance.low > 0 && advance.high <= advance.low * ALIKE)
      return (before, glyph) => glyph.x - before.x > advance.middle * WIDER;
    if (gap.middle > CLOSE_GAP) return (before, glyph) => gapOf(before, glyph) > gap.high * WIDER;
  }
  return (before, glyph) => gapOf(before, glyph) > (glyph.isApart ? SPACE_GAP : WORD_GAP);
}

/** The gap between two glyphs relative to their size. */
function gapOf(before: Glyph, glyph: Glyph): number {
  return (glyph.x - before.x - before.width) / Math.max(before.size, glyph.size, Number.MIN_VALUE);
}

function quartiles(values: readonly number[]): { low: number; middle: number; high: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}

function matrixOf(numbers: ArrayLike<number>): Matrix {
  return Array.from({ length: 6 }, (_, at) => numbers[at] ?? 0) as unknown as Matrix;
}

/** The transformation that applies `b` first, then `a`. */
function times(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}
