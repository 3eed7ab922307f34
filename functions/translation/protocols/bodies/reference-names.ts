/** What a member's name says about its value. */
export interface NameTraits {
  /** Its letters, without case: `promptcachekey`. */
  readonly plain: string;
  /** The value names something: `voice_id`, `storeRef`, `page_token`. */
  readonly isId: boolean;
  /** Numbers count too: `conversation_id` and `thread`, and not `cached_tokens` or `num_threads`. */
  readonly isNumericId: boolean;
  /** The value is, or belongs to, something that a provider keeps: `thread`, `previousTurn`, `cacheName`. */
  readonly isState: boolean;
  readonly isAddress: boolean;
  /** A published member whose strings are texts, names, switches, media or sealed data. */
  readonly isKnown: boolean;
  /** It holds a name, which in an object of state is that of the state. */
  readonly isLabel: boolean;
  /** Callers choose its members: `client_metadata`. */
  readonly isFree: boolean;
}

/** Last words of names whose value names something. */
const ID_WORDS = words(
  `id ids uid uids uuid uuids guid guids ref refs reference references handle handles pointer pointers identifier identifiers
    urn urns arn arns token tokens cursor cursors`,
);
const NUMERIC_ID_WORDS = words('id ids uid uids ref refs reference references handle handles pointer pointers');
/** Words of names whose value is something that a provider keeps. */
const STATE_WORDS = words(
  `prev prior last earlier continue continues continued resume resumes resumed resumption parent parents store stores library libraries
    collection collections dataset datasets fork branch state file files attachment attachments artifact artifacts connector
    connectors skill skills tunnel tunnels run runs job jobs agent agents ancestor ancestors slot slots`,
);
/** The same in names whose words may not be separated: `threadid`. */
const STATE =
  /thread|conversation|dialog|session|container|interaction|assistant|previous|cache|continuation|checkpoint|snapshot|corpus|corpora|vectorstore|datastore|datasource|indexname|searchindex|knowledgebase|memory|memories|workspace|vault/;
/** `fileid` */
const JOINED_ID =
  /^(file|message|response|item|voice|skill|tunnel|connector|store|library|collection|dataset|document|agent|parent|run|job|slot|account|project|resource|object)s?(?:id|ref|arn|handle|token)s?$/;
/** Last words of names that only say how something is done, or hold text: `cache_mode`, `session_ttl`, `previous_text`. */
const SWITCHES = words(
  `behavior bytes control count enabled format kind level limit max min mode ms options option policy precision quality
    retention scope seconds size status strategy temperature text texts timeout tokens ttl type version weight`,
);
/** Published members of any API, without separators. */
const KNOWN = words(
  `allowedfunctionnames args argument arguments authorization bytes citedtext code command content contents data definition delta
    description detail display displayname documents documenttitle domain effort encryptedcontent encryptedindex
    encryptedstdout environment error errorcode errormessage expiresat filedata filename filter filters fingerprint format functioncall input
    inputtext instruction instructions json knownspeakerreferences language license logprobs mediatype message messages metadatafilter mimetype modality
    modelversion name namespace obfuscation object output outputtext partialjson patch phase pattern prompt provider query quote
    reason reasoning reasoningcontent refusal regex required response result results role schema serverlabel
    serverdescription signature speaker stderr stdout stop stopreason stopsequence stopsequences suffix
    summary syntax system systemfingerprint text texts thinking thought thoughtsignature title toolname transcript value values
    verbosity voice`,
);
const LABELS = words('name value key source');
const FREE_WORDS = words('metadata labels tags');
const ADDRESS_WORDS = words('url urls uri uris');
const NOT_ASCII = /\P{ASCII}/u;

/** A longer name is a sentence. */
const MAX_WORDS = 5;
const MAX_CACHED = 4_096;
const MAX_CACHED_CHARS = 128;
const cached = new Map<string, NameTraits>();

/** Compared leniently: servers ignore case and separators, and some accept letters that fold to ASCII. */
export function traitsOf(name: string): NameTraits {
  const known = cached.get(name);
  if (known !== undefined) return known;
  const traits = read(name);
  if (name.length > MAX_CACHED_CHARS) return traits;
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(name, traits);
  return traits;
}

function read(name: string): NameTraits {
  const plain = NOT_ASCII.test(name) ? name.normalize('NFKC') : name;
  const parts = plain
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
  const joined = parts.join('');
  const last = parts.at(-1) ?? '';
  const isPublished = KNOWN.has(joined);
  // `id_slot` is `slot_id`.
  const isNumber = NUMERIC_ID_WORDS.has(last) || JOINED_ID.test(joined) || (parts[0] === 'id' && !SWITCHES.has(last));
  const isId = !isPublished && (ID_WORDS.has(last) || isNumber);
  const isSwitch = SWITCHES.has(last) && !isId;
  const isSentence = parts.length > MAX_WORDS;
  const stem = JOINED_ID.exec(joined)?.[1] ?? '';
  const namesState = STATE.test(joined) || [...parts, stem].some((part) => STATE_WORDS.has(part));
  const isState = !isPublished && !isSwitch && !isSentence && namesState;
  const isAddress = ADDRESS_WORDS.has(last);
  return {
    plain: joined,
    isId,
    isNumericId: isState && (parts.length === 1 || (isId && isNumber)),
    isState: isState && !isAddress,
    isAddress,
    isKnown: isPublished || isSwitch,
    isLabel: LABELS.has(joined),
    isFree: FREE_WORDS.has(last),
  };
}

/** Values of switches: `cache: "auto"`. */
const SWITCH_VALUES = words('auto none new create enabled disabled on off true false');
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** Google's and Amazon's names of resources: `cachedContents/abc`, `projects/p/locations/l/...`. */
const RESOURCE_PATH =
  /^\/*(?:projects|organizations|accounts|files|cachedContents|tunedModels|corpora|fileSearchStores|ragCorpora|conversations|threads|sessions|interactions|assistants|containers|agents|collections|datasets|caches|vector_stores|responses)\/[^\s/]/i;
const GOOGLE_HOST = /googleapis\.com\.?$/;
const GOOGLE_API = /(?:generativelanguage|aiplatform|discoveryengine)\b/;
const UUID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;
/** `msg_01XFDUDYJgAACzvnptvVoYEL`, `cntr_682e`. */
const PREFIXED = /^[a-z]{1,24}(?:[_-][a-z]{1,24})*[_-]([a-z\d]{8,})$/i;
/** Longer than the date in a version: `web_search_20250305`. */
const LONG_NUMBER = /^\d{10,}$/;
const RANDOM = /^[a-z\d]{20,64}$/i;
/** Provider ids are shorter; sealed data are longer. */
const MAX_ID_CHARS = 256;

/** Whether a string refers to something that a provider keeps. @param inState it is in an object of state */
export function isReference(text: string, traits: NameTraits, inState: boolean): boolean {
  const value = text.trim();
  if (value === '' || /\s/.test(value) || /^data:/i.test(value)) return false;
  if (traits.isAddress) return isPrivateAddress(value);
  const isOfState = traits.isState || (inState && (!traits.isKnown || traits.isLabel));
  if (traits.isId) return true;
  if (isOfState) return !SWITCH_VALUES.has(value.toLowerCase());
  return !traits.isKnown && hasIdForm(value);
}

/** Whether a provider reads the address with the account's permissions: any but a public web page. */
function isPrivateAddress(value: string): boolean {
  if (!SCHEME.test(value)) return value.length <= MAX_ID_CHARS && RESOURCE_PATH.test(value);
  if (!/^https?:/i.test(value)) return true;
  const host = URL.parse(value)?.hostname ?? '';
  return GOOGLE_HOST.test(host) && GOOGLE_API.test(host);
}

function hasIdForm(value: string): boolean {
  if (value.length > MAX_ID_CHARS) return false;
  if (UUID.test(value) || RESOURCE_PATH.test(value)) return true;
  const scheme = SCHEME.exec(value)?.[1]?.toLowerCase();
  if (scheme !== undefined && /^(?:s3|gs|arn|urn|azureml|abfss?|wasbs?|dbfs|r2)$/.test(scheme)) return true;
  const random = PREFIXED.exec(value)?.[1] ?? (RANDOM.test(value) ? value : '');
  return LONG_NUMBER.test(random) || (/\d/.test(random) && /[a-z]/i.test(random));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
