/** Names that phishing hides behind, as they stand in a domain. */
export const BRANDS: ReadonlySet<string> = new Set(
  [
    'paypal apple icloud itunes appleid microsoft office365 outlook onedrive hotmail sharepoint google gmail',
    'youtube facebook instagram whatsapp twitter linkedin netflix spotify steam steamcommunity amazon ebay',
    'alibaba aliexpress walmart allegro mercadolibre americanas dropbox adobe docusign wetransfer yahoo github',
    'gitlab openai chatgpt slack zoom telegram discord dhl fedex ups usps royalmail correos laposte chronopost',
    'ameli impots irs hmrc dvla chase wellsfargo bankofamerica bofa citibank capitalone americanexpress amex',
    'usbank bbva santander hsbc barclays lloyds natwest halifax rbs tsb monzo revolut caixabank bankia',
    'unicredit intesasanpaolo postepay bnpparibas creditagricole societegenerale caisse-epargne orange',
    'sparkasse volksbank commerzbank postbank n26 ing rabobank abnamro postfinance ubs swisscom itau bradesco',
    'nubank banrural bancolombia interac scotiabank rbc desjardins anz westpac commbank nab hdfcbank icicibank',
    'sbi paytm maybank dbs ocbc rakuten mufg smbc viabcp mtbonline royalbank caixa bmo dpd hermes tesco aruba',
    'ionos coinbase binance kraken blockchain metamask ledger trezor opensea myetherwallet localbitcoins att',
    'verizon comcast xfinity centurylink vodafone telekom godaddy visa mastercard westernunion',
  ]
    .join(' ')
    .split(' '),
);

/** Brands of so few or such everyday letters that they count only as whole labels of a host. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  [
    'ups irs att ing ubs nab anz sbi dbs rbs tsb rbc orange chase apple steam zoom slack visa ledger amazon',
    'google discord telegram kraken blockchain n26 correos caixa hermes aruba americanas gitlab github',
    'sharepoint outlook openai docusign',
  ]
    .join(' ')
    .split(' '),
);

/** Words of sign-in and payment pages, between other signs than letters. */
export const CREDENTIAL_WORD =
  /(?:^|[^a-z])(?:log-?in|logon|log-?on|signin|sign-in|sign_on|signon|verif(?:y|ication|ied|ied)|confirm(?:ation)?|authenticat(?:e|ion)|auth|account|myaccount|secure[ds]?|security|update[ds]?|webscr|passwords?|banking|onlinebanking|billing|wallet|unlock|suspended|limited|restore|recovery|webmail|ebank(?:ing)?|validat(?:e|ion)|customer_center|idmsa|2fa|otp|vbv|sso|credentials?|support|helpdesk|service-?client|espace-?client|iniciar-?sesion|acceso|cuenta|ingres[oa]|clave|segur[oa]|conta|acesso|seguranca|cadastr(?:o|amento)|atualiza(?:r|cao)|desbloqueio|recadastr\w{2,8}|fatura|connexion|compte|accedi|accesso|anmelden|konto|kundenservice|ebanking|netbanking|mobilebanking|voicemessage|voicemail|securefile|pagamento|resgat[ea]r?)s?(?=$|[^a-z])/g;

/** Where anybody can put a page within minutes. */
export const FREE_HOST =
  /(?:^|\.)(?:000webhostapp\.com|weebly\.com|blogspot\.[a-z.]{2,6}|godaddysites\.com|codesandbox\.io|firebaseapp\.com|web\.app|netlify\.app|vercel\.app|herokuapp\.com|glitch\.me|github\.io|pages\.dev|workers\.dev|r2\.dev|azurewebsites\.net|azurestaticapps\.net|windows\.net|wixsite\.com|webnode\.[a-z]{2,4}|yolasite\.com|hyperphp\.com|infinityfreeapp\.com|byethost\d*\.com|duckdns\.org|no-ip\.[a-z]{2,4}|ddns\.net|hopto\.org|ngrok(?:-free)?\.(?:io|app)|trycloudflare\.com|repl\.co|surge\.sh|tumblr\.com|wordpress\.com|blogspot\.com|altervista\.org|atwebpages\.com|mybluemix\.net|appspot\.com|typeform\.com|jotform\.com|umbler\.net|ferozo\.com|sites\.google\.com|my-free\.website|square\.site|myshopify\.com|webcindario\.com)$/;

/** Endings that cost nothing or hardly anything, so that few of their sites are what they say. */
export const CHEAP_ENDING =
  /\.(?:tk|ml|ga|cf|gq|xyz|top|icu|club|live|click|buzz|work|cyou|rest|sbs|cfd|monster|quest|bar|fun|site|online|website|space|host|press|pw|cc|ws|link|download|review|country|stream|gdn|loan|men|win|bid|date|trade|party|science|vip|today|support|services)$/;

/** Sites of everybody, where words in a path say nothing. */
export const EVERYBODYS_SITE =
  /(?:^|\.)(?:google\.[a-z.]{2,6}|microsoft\.com|microsoftonline\.com|live\.com|office\.com|office365\.com|sharepoint\.com|azure\.com|apple\.com|icloud\.com|amazon\.[a-z.]{2,6}|amazonaws\.com|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|stackoverflow\.com|stackexchange\.com|wikipedia\.org|wikimedia\.org|youtube(?:-nocookie)?\.com|paypalobjects\.com|google-analytics\.com|amazon-adsystem\.com|microsoft365\.com|facebook\.com|instagram\.com|twitter\.com|x\.com|linkedin\.com|reddit\.com|medium\.com|paypal\.com|ebay\.[a-z.]{2,6}|netflix\.com|dropbox\.com|openai\.com|anthropic\.com|mozilla\.org|python\.org|npmjs\.com|docker\.com|cloudflare\.com|archive\.org|oracle\.com|ibm\.com|atlassian\.net|slack\.com|zoom\.us|zendesk\.com|okta\.com|auth0\.com|readthedocs\.io|w3\.org|rust-lang\.org|nodejs\.org|gov|gov\.uk|edu|mil|local|internal|localhost|test|example|invalid)$/;
