import { VOCABULARY } from '../functions/inspection/decoding/vocabulary.ts';
import { type Grammar, GrammarFolder, type Wishes } from './grammar.ts';

/** Our grammars by the texts that they make. */
export interface OwnGrammars {
  /** Attempts to override, lift or extract instructions, with everyday sentences; English first. */
  readonly phrases: readonly Grammar[];
  /** Instructions to a model hidden in a document, mail, web page, ticket or code file, and harmless ones in the same places. */
  readonly injections: Grammar;
  readonly everyday: Grammar;
  readonly roles: Grammar;
  readonly rolesByLanguage: readonly Grammar[];
  readonly aroundInstructions: Grammar;
  /** Orders to an agent to misuse its tools or to act on a web site, and harmless texts about tools and sites. */
  readonly agentOrders: Grammar;
  readonly ordersToAttack: Grammar;
  /** Orders to a model in what coding agents send, and harmless texts from there. */
  readonly agentSessions: Grammar;
  readonly wishes: Grammar;
  readonly everydayWishes: Grammar;
  readonly wishesByLanguage: readonly Grammar[];
}

/** Returns all grammars of `training/data`, checked. @throws Error that names the file and the place of a fault */
export function readOwnGrammars(data = new GrammarFolder()): OwnGrammars {
  const { phrases, roles, wishes } = data.readLanguages();
  const injections = readInjections(data);
  const agentOrders = readAgentOrders(data, injections);
  const grammars = {
    phrases: [
      data.readGrammar(['phrases/english-abstract', 'phrases/english']),
      ...phrases.flatMap((file) => withDerived(data.readGrammar([file]))),
    ],
    injections,
    everyday: data.readGrammar(['everyday']),
    roles: data.readGrammar(['roles/english']),
    rolesByLanguage: roles.map((file) => data.readGrammar([file])),
    aroundInstructions: data.readGrammar(['around-instructions']),
    agentOrders,
    ordersToAttack: data.readGrammar(['orders-to-attack']),
    agentSessions: readAgentSessions(data, injections, agentOrders),
    wishes: data.readGrammar(['wishes/english']),
    // Any word may follow the phrases of asking: only the words for harm make a request harmful.
    everydayWishes: data.readGrammar(['wishes/english-everyday'], { word: VOCABULARY }),
    wishesByLanguage: wishes.map((file) => toWishGrammar(data.readWishes(file))),
  };
  data.checkAllRead();
  return grammars;
}

/** The order of files is the order of templates, which decides the texts that a seed makes. */
function readInjections(data: GrammarFolder): Grammar {
  const topics = ['entities', 'filler', 'address', 'duties', 'phrases', 'goals', 'attacks'];
  const places = ['harmless-people', 'harmless-machines', 'other-languages', 'wrappers', 'wrappers-files'];
  return data.readGrammar([...topics, ...places].map((topic) => `injections/${topic}`));
}

function readAgentOrders(data: GrammarFolder, injections: Grammar): Grammar {
  return { ...data.readGrammar(['injections/agent-orders'], injections.slots), wrappers: injections.wrappers };
}

function readAgentSessions(data: GrammarFolder, injections: Grammar, agentOrders: Grammar): Grammar {
  const own = data.readGrammar(['injections/agent-sessions'], { ...agentOrders.slots, harmlessPart: [] });
  const described = ['definition', 'result', 'contributors'].flatMap((slot) => own.slots[slot] ?? []);
  const harmless = [...own.harmless, ...described];
  return {
    ...own,
    slots: { ...own.slots, harmlessPart: harmless },
    attacks: [...injections.attacks, ...agentOrders.attacks],
    harmless,
  };
}

/** A language and those derived from it. */
function withDerived(grammar: Grammar): Grammar[] {
  return grammar.lang === 'hr' ? [grammar, toSerbian(grammar)] : [grammar];
}

function toSerbian({ slots, attacks, harmless, wrappers }: Grammar): Grammar {
  return {
    lang: 'sr-Cyrl',
    slots: Object.fromEntries(Object.entries(slots).map(([name, phrases]) => [name, phrases.map(inSerbian)])),
    attacks: attacks.map(inSerbian),
    harmless: harmless.map(inSerbian),
    wrappers: wrappers.map(inSerbian),
  };
}

/** Croatian in the Serbian spelling: e for ije, in Cyrillic letters; slots stay unchanged. */
function inSerbian(text: string): string {
  const latin = 'abcčćdđefghijklmnoprsštuvzž';
  const cyrillic = 'абцчћдђефгхијклмнопрсштувзж';
  return text
    .toLowerCase()
    .replace(/(vr|sl|pr|m|d|b)ije/g, '$1e')
    .replace(/riječ/g, 'reč')
    .replace(/([dmpvr])je/g, '$1e')
    .replace(/\{\w+\}|lj|nj|dž|[a-zčćđšž]/g, (part) => {
      if (part === 'lj') return 'љ';
      if (part === 'nj') return 'њ';
      if (part === 'dž') return 'џ';
      return cyrillic[latin.indexOf(part)] ?? part;
    });
}

function toWishGrammar({ lang, ask, act, fine, person, write, text, fineText, claim, say, ordinary }: Wishes): Grammar {
  const askFine = ask.map((template) => template.replaceAll('{act}', '{fine}'));
  const writeFine = write.map((template) => template.replaceAll('{text}', '{fineText}'));
  const said = [...say, ...ordinary];
  return {
    lang,
    slots: { act, fine, person, text, fineText, claim, say: said, ask, askFine, write, writeFine },
    // A repeated template is drawn more often.
    attacks: [...repeat('{ask}', 4), ...repeat('{write}', 2), '{claim}'],
    harmless: [...repeat('{askFine}', 3), '{writeFine}', ...repeat('{say}', 4), '{person} {say}', '{say} {person}'],
    wrappers: [],
  };
}

function repeat(template: string, times: number): string[] {
  return Array<string>(times).fill(template);
}
