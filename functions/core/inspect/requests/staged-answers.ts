/** So many make a pattern: one cut answer is an accident. */
const FEWEST = 3;
const LONGEST = 120;

/** An eager opening that breaks off: no model ends like that, but examples written for it do. */
const STAGED =
  /^\s{0,4}(?:sure|of course|certainly|absolutely|easy|no problem|happily|gladly|with pleasure|here you go|here(?:'s| is) how|yes|okay|ok|claro|por supuesto|natürlich|klar|bien sûr|certo|конечно|tabii|oczywiście)\b.{0,110}(?:\.\.\.|…|\[(?:\.\.\.|…|continued?)\])\s{0,4}$/isu;

/** Whether the assistant texts of a request look made up to teach by example that anything is answered. */
export function areStaged(assistantTexts: readonly string[]): boolean {
  let count = 0;
  for (const text of assistantTexts) if (text.length <= LONGEST && STAGED.test(text)) count += 1;
  return count >= FEWEST;
}
