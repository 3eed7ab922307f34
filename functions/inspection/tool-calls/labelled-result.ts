/** How agents' transcripts label the result of a tool in a message of the user. */
const RESULT =
  /^(?:observation|(?:tool|function|search)[ _](?:results?|outputs?|responses?|calls? results?)|results?|output)\s*[:：]/iu;

/** Whether a message of the user begins as agents' transcripts label the result of a tool. */
export function isLabelledResult(text: string): boolean {
  return RESULT.test(text.trimStart());
}
