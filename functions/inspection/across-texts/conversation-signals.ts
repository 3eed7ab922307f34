/** A piece of a text that its writer marked to be joined with others: half-open range. */
export interface Fragment {
  readonly start: number;
  readonly end: number;
  /** In quotation marks: its end is exact, even within a word. */
  readonly quoted: boolean;
}

/** Longer texts are not written to be joined. */
export const MAX_FRAGMENT_TEXT = 400;
const MAX_FRAGMENTS_A_TEXT = 8;

/** `a = "..."`, `let X be '...'`, `part2: "..."`. */
const ASSIGNED =
  /(?:[=:]|\b(?:is|be|as|to|est|ist|es|sea|sei|soit)\b)\s{0,4}(["'`“”„«‘])([^"'`“”„«»‘’\n]{1,200})["'`“”»’]/giu;
/** `Part 2: ...`, `3/4) ...`, `Teil 1 - ...`: the rest of the line. */
const LABELLED =
  /(?:\b(?:part|piece|chunk|fragment|segment|teil|parte|partie|deel|часть|bölüm|phần|bagian)\s{0,2}#?\w{1,3}|\b\d{1,2}\s?\/\s?\d{1,2}|第\s?\S\s?[部段]分?)\s{0,3}[:：.)\]-]\s{0,4}([^\n]{1,300})/giu;

/** The fragments of a short text, in order; none of a long one. */
export function fragmentsOf(text: string): readonly Fragment[] {
  if (text.length > MAX_FRAGMENT_TEXT) return [];
  const quoted = rangesOf(text, ASSIGNED, 2, true);
  return (quoted.length > 0 ? quoted : rangesOf(text, LABELLED, 1, false)).slice(0, MAX_FRAGMENTS_A_TEXT);
}

function rangesOf(text: string, pattern: RegExp, group: number, quoted: boolean): Fragment[] {
  return [...text.matchAll(pattern)].map((match) => {
    // The group is at the end of the match, before a closing quotation mark.
    const end = match.index + match[0].length - (quoted ? 1 : 0);
    return { start: end - (match[group] as string).length, end, quoted };
  });
}

/** `a + b`, `the joined text`, `combine them`. */
const JOINS =
  /\b\p{L}\w{0,7}\s?\+\s?\p{L}\w{0,7}\b|\b(?:joined|combined|concatenated|assembled) (?:text|strings?|parts?|message|sentence|request)\b|\b(?:concatenate|assemble|put (?:them|it|the parts) together|(?:join|combine|merge) (?:them|the (?:parts|pieces|strings|variables)))\b/iu;
/** `Answer the question X Y Z`. */
const ORDER = /\b(?:answer|do|follow|execute|obey|carry out)\b/i;
const NAMES_IN_A_ROW = /\b[A-Z]\d?,? (?:and )?[A-Z]\d?\b/;

/** Whether a short text asks the model to act on a text given in pieces. */
export function requestsAssembly(text: string): boolean {
  return text.length <= MAX_FRAGMENT_TEXT && (JOINS.test(text) || (ORDER.test(text) && NAMES_IN_A_ROW.test(text)));
}

/** Minimum number for a pattern: one broken response may be an accident. */
const FEWEST = 3;
const LONGEST = 120;

/** An eager start that breaks off: models do not end like that, but made-up examples do. */
const STAGED =
  /^\s{0,4}(?:sure|of course|certainly|absolutely|easy|no problem|happily|gladly|with pleasure|here you go|here(?:'s| is) how|yes|okay|ok|claro|por supuesto|natürlich|klar|bien sûr|certo|конечно|tabii|oczywiście)\b.{0,110}(?:\.\.\.|…|\[(?:\.\.\.|…|continued?)\])\s{0,4}$/isu;

/** Whether the assistant texts of a request look made up to teach the model by example that it always complies. */
export function areStaged(assistantTexts: readonly string[]): boolean {
  let count = 0;
  for (const text of assistantTexts) if (text.length <= LONGEST && STAGED.test(text)) count += 1;
  return count >= FEWEST;
}
