/** Whether digits, other characters left out, end with the check digit of payment cards. */
export function passesLuhn(text: string): boolean {
  let sum = 0;
  let double = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    const value = double ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Whether an IBAN without spaces, in upper case, leaves 1 modulo 97 (ISO 13616). */
export function passesIbanCheck(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
