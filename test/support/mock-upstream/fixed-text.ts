/** The 32 words of every `mock-fixed` and `mock-paced` reply: ordinary prose that no security rule should notice. */
export const FIXED_PIECES: string[] = (
  'Throughout springtime several neighbouring gardeners exchanged interesting observations concerning flowering ' +
  'vegetables, comparing traditional irrigation techniques against contemporary alternatives, carefully documenting ' +
  'temperature, sunlight, rainfall, composting, pollination, harvesting, preservation, plus seasonal maintenance ' +
  'throughout surrounding allotments.'
).split(/(?<= )/);

export const FIXED_TEXT: string = FIXED_PIECES.join('');
