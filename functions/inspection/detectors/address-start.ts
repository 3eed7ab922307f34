/**
 * The start of an address as a browser takes it, in the syntax of inspection/pattern-engine: slashes or backslashes, of any number, after the scheme;
 * without a scheme two of them, where a link is expected.
 */
export const ADDRESS_START =
  '(?:\\b(?:https?|wss?|ftp):[/\\\\]{1,8}|(?:\\]\\(|\\]:|=|\\burl\\()\\s{0,4}["\'<]?\\s{0,4}[/\\\\]{2})';
