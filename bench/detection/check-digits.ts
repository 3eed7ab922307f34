import { fill } from '../../functions/inspection/detectors/secrets/example-tokens.ts';

/**
 * Numbers with the check digits that their issuers publish. Written apart from the rules' own checks, so that a mistake
 * there shows here as a miss.
 */
type Maker = (random: () => number) => string;

const digits = (count: number) => (random: () => number) => fill(`{d${count}}`, random);
const weighted = (text: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(text[at]), 0);
const DNI = 'TRWAGMYFPDXBNJZSQVHLCKE';
const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');

function luhnDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, char, at) => {
    const value = Number(char) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function luhn(prefix: string, length: number): Maker {
  return (random) => {
    const body = prefix + fill(`{d${length - prefix.length - 1}}`, random);
    return body + luhnDigit(body);
  };
}

function iban(country: string, template: string): Maker {
  return (random) => {
    const account = fill(template, random);
    const number = [...`${account}${country}00`].map((char) => Number.parseInt(char, 36)).join('');
    return country + String(98n - (BigInt(number) % 97n)).padStart(2, '0') + account;
  };
}

/** Draws until the check has a digit for it: some leave out the value ten. */
function drawn(make: (random: () => number) => string | undefined): Maker {
  return (random) => {
    for (;;) {
      const made = make(random);
      if (made !== undefined) return made;
    }
  };
}

const date = (random: () => number) =>
  [60 + Math.floor(random() * 39), 1 + Math.floor(random() * 12), 1 + Math.floor(random() * 28)].map((part) =>
    String(part).padStart(2, '0'),
  ) as [string, string, string];

const MAKERS: Readonly<Record<string, Maker>> = {
  visa: luhn('4', 16),
  mastercard: luhn('53', 16),
  amex: luhn('37', 15),
  'visa-grouped': (random) => grouped(luhn('4', 16)(random)),
  'iban-de': iban('DE', '{d18}'),
  'iban-gb': iban('GB', 'WEST{d14}'),
  'iban-nl-grouped': (random) => grouped(iban('NL', 'ABNA{d10}')(random)),
  month: (random) => date(random)[1],
  letter: (random) => 'ABCDEFGHJKLMNPRSTUVWXYZ'.charAt(Math.floor(random() * 23)),
  nhs: drawn((random) => {
    const body = `4${digits(8)(random)}`;
    const check = 11 - (weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    return check === 10 ? undefined : `${body}${check % 11}`.replace(/(...)(...)/, '$1 $2 ');
  }),
  'de-tax': (random) => {
    const body = `8${digits(9)(random)}`;
    let product = 10;
    for (const char of body) product = (((Number(char) + product) % 10 || 10) * 2) % 11;
    return body + String((11 - product) % 10);
  },
  nir: (random) => {
    const [year, month] = date(random);
    const body = `1${year}${month}75${digits(6)(random)}`;
    return `${body} ${String(97n - (BigInt(body) % 97n)).padStart(2, '0')}`;
  },
  dni: (random) => {
    const body = `5${digits(7)(random)}`;
    return body + DNI.charAt(Number(body) % 23);
  },
  nie: (random) => {
    const body = digits(7)(random);
    return `X${body}${DNI.charAt(Number(body) % 23)}`;
  },
  bsn: drawn((random) => {
    const body = `1${digits(7)(random)}`;
    const check = weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    return check === 10 ? undefined : body + String(check);
  }),
  pesel: (random) => {
    const body = date(random).join('') + digits(4)(random);
    return body + String((10 - (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
  },
  personnummer: (random) => {
    const body = date(random).join('') + digits(3)(random);
    return `${body.slice(0, 6)}-${body.slice(6)}${luhnDigit(body)}`;
  },
  cpf: (random) => {
    const body = digits(9)(random);
    const digit = (text: string) => {
      const rest = [...text].reduce((sum, char, at) => sum + Number(char) * (text.length + 1 - at), 0) % 11;
      return rest < 2 ? '0' : String(11 - rest);
    };
    const first = body + digit(body);
    return (first + digit(first)).replace(/(...)(...)(...)/, '$1.$2.$3-');
  },
  // Published as an example; Verhoeff's digits are tested beside the rules.
  aadhaar: (random) => (random() < 0.5 ? '2341 2341 2346' : '4991 1866 5246'),
  'cn-id': (random) => {
    const [year, month, day] = date(random);
    const body = `11010519${year}${month}${day}${digits(3)(random)}`;
    return body + '10X98765432'.charAt(weighted(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11);
  },
  nric: (random) => {
    const body = digits(7)(random);
    return `S${body}${'JZIHGFEDCBA'.charAt(weighted(body, [2, 7, 6, 5, 4, 3, 2]) % 11)}`;
  },
  ahv: (random) => {
    const body = `756${digits(9)(random)}`;
    const check = (10 - (weighted(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10;
    return `${body}${check}`.replace(/(...)(....)(....)/, '$1.$2.$3.');
  },
  tckn: (random) => {
    const body = `3${digits(8)(random)}`;
    const odd = weighted(body, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
    const even = weighted(body, [0, 1, 0, 1, 0, 1, 0, 1, 0]);
    const tenth = (((odd * 7 - even) % 10) + 10) % 10;
    return `${body}${tenth}${(odd + even + tenth) % 10}`;
  },
  sin: (random) => luhn('4', 9)(random).replace(/(...)(...)/, '$1 $2 '),
  tfn: drawn((random) => {
    const body = `8${digits(7)(random)}`;
    const rest = weighted(body, [1, 4, 3, 7, 5, 8, 6, 9]) % 11;
    // Weight ten is minus one modulo eleven: the last digit is what is left over.
    return rest === 10 ? undefined : `${body}${rest}`.replace(/(...)(...)/, '$1 $2 ');
  }),
  be: (random) => {
    const body = date(random).join('') + digits(3)(random);
    const check = String(97 - (Number(body) % 97)).padStart(2, '0');
    return `${body.replace(/(..)(..)(..)/, '$1.$2.$3-')}.${check}`;
  },
  za: (random) => {
    const body = `${date(random).join('')}${digits(4)(random)}08`;
    return body + luhnDigit(body);
  },
};

/** The text with each name in brackets replaced by such a number. */
export function withCheckDigits(text: string, random: () => number): string {
  return text.replace(/\[([a-z-]+)\]/g, (whole, name: string) => MAKERS[name]?.(random) ?? whole);
}
