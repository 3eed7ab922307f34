import type { Address } from './address.ts';
import { BRANDS, EVERYDAY, namesBrand } from './brand-names.ts';

/** Words of sign-in and payment pages, between characters other than letters. */
const CREDENTIAL_WORD =
  /(?:^|[^a-z])(?:log-?in|logon|log-?on|signin|sign-in|sign_on|signon|verif(?:y|ication|ied|ied)|confirm(?:ation)?|authenticat(?:e|ion)|auth|account|myaccount|secure[ds]?|security|update[ds]?|webscr|passwords?|banking|onlinebanking|billing|wallet|unlock|suspended|limited|restore|recovery|webmail|ebank(?:ing)?|validat(?:e|ion)|customer_center|idmsa|2fa|otp|vbv|sso|credentials?|support|helpdesk|service-?client|espace-?client|iniciar-?sesion|acceso|cuenta|ingres[oa]|clave|segur[oa]|conta|acesso|seguranca|cadastr(?:o|amento)|atualiza(?:r|cao)|desbloqueio|recadastr\w{2,8}|fatura|connexion|compte|accedi|accesso|anmelden|konto|kundenservice|ebanking|netbanking|mobilebanking|voicemessage|voicemail|securefile|pagamento|resgat[ea]r?)s?(?=$|[^a-z])/g;

/** Hosts where a page can be published within minutes. */
const FREE_HOST =
  /(?:^|\.)(?:000webhostapp\.com|weebly\.com|blogspot\.[a-z.]{2,6}|godaddysites\.com|codesandbox\.io|firebaseapp\.com|web\.app|netlify\.app|vercel\.app|herokuapp\.com|glitch\.me|github\.io|pages\.dev|workers\.dev|r2\.dev|azurewebsites\.net|azurestaticapps\.net|windows\.net|wixsite\.com|webnode\.[a-z]{2,4}|yolasite\.com|hyperphp\.com|infinityfreeapp\.com|byethost\d*\.com|duckdns\.org|no-ip\.[a-z]{2,4}|ddns\.net|hopto\.org|ngrok(?:-free)?\.(?:io|app)|trycloudflare\.com|repl\.co|surge\.sh|tumblr\.com|wordpress\.com|blogspot\.com|altervista\.org|atwebpages\.com|mybluemix\.net|appspot\.com|typeform\.com|jotform\.com|umbler\.net|ferozo\.com|sites\.google\.com|my-free\.website|square\.site|myshopify\.com|webcindario\.com)$/;

/** Top-level domains that cost little, so that many of their sites are fraudulent. */
const CHEAP_ENDING =
  /\.(?:tk|ml|ga|cf|gq|xyz|top|icu|club|live|click|buzz|work|cyou|rest|sbs|cfd|monster|quest|bar|fun|site|online|website|space|host|press|pw|cc|ws|link|download|review|country|stream|gdn|loan|men|win|bid|date|trade|party|science|vip|today|support|services)$/;

/** Sites with pages by any user, where words in a path are no sign. */
const EVERYBODYS_SITE =
  /(?:^|\.)(?:google\.[a-z.]{2,6}|microsoft\.com|microsoftonline\.com|live\.com|office\.com|office365\.com|sharepoint\.com|azure\.com|apple\.com|icloud\.com|amazon\.[a-z.]{2,6}|amazonaws\.com|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|stackoverflow\.com|stackexchange\.com|wikipedia\.org|wikimedia\.org|youtube(?:-nocookie)?\.com|paypalobjects\.com|google-analytics\.com|amazon-adsystem\.com|microsoft365\.com|facebook\.com|instagram\.com|twitter\.com|x\.com|linkedin\.com|reddit\.com|medium\.com|paypal\.com|ebay\.[a-z.]{2,6}|netflix\.com|dropbox\.com|openai\.com|anthropic\.com|mozilla\.org|python\.org|npmjs\.com|docker\.com|cloudflare\.com|archive\.org|oracle\.com|ibm\.com|atlassian\.net|slack\.com|zoom\.us|zendesk\.com|okta\.com|auth0\.com|readthedocs\.io|w3\.org|rust-lang\.org|nodejs\.org|gov|gov\.uk|edu|mil|local|internal|localhost|test|example|invalid)$/;

/** Parameters and folders of phishing kits. */
const KIT =
  /[?&](?:amp;)?(?:cmd=_?login|dispatch(?:ed)?=[0-9a-f]{10}|websrc=[0-9a-f]{8}|app=login|sslchannel=|servid=|fav\.1=|\.rand=\d|country\.x=|rand=13inboxlight)|customer-idpp|\/(?:webscr|cgi-bin\/webscr)|wsfargo|isapidll|13inboxlight/;
/** Folders for a site's software, where no page for visitors belongs. */
const MACHINERY =
  /\/(?:\.(?!well-known)[a-z]{2,}|cgi-bin|cgi|includes|plugins|modules|components|vendor|tmp|cache|uploads|fonts|smilies|images|img|css|js|~[\w]+)\//;
const WORDPRESS_INSIDE =
  /\/(?:wp-(?:includes|admin|activate|snapshots|contents|image)\/|wp-content\/(?!uploads\/|cache\/)|\.well-known\/(?!acme|security|openid|oauth|jwks|assetlinks|apple-app))/;
const ASSET =
  /\.(?:css|js|png|jpe?g|gif|svg|webp|ico|woff2?|ttf|map|pdf|zip|mp4|json|xml)(?=$|[?#])|\/(?:admin-ajax|admin-post|load-scripts|load-styles|wp-login)\.php/;
/** A placeholder for a name: no host has such characters. */
const PLACEHOLDER = /[%${}<>]/;
const HIDDEN_FOLDER = /\/\.(?!well-known)[a-z]{2,}\//;
const SCRIPT_PAGE = /\.(?:php|html?|aspx?|jsp|cgi)(?=$|[/?#])/;
const LONG_HEX = /(?:^|[^0-9a-z])[0-9a-f]{24,}(?=$|[^0-9a-z])/;
const SOMEBODYS_MAIL =
  /(?:[?&](?:[a-z]{0,4}mail|user(?:id|name)?|login|email|e|u|id|ego)=|[#?])[\w.+-]+(?:@|%40)[\w-]+\.[a-z]/;
const BLOG_OF_ITS_OWN = /(?:^|\.)(?:github\.io|tumblr\.com|wordpress\.com|medium\.com|myshopify\.com)$/;
/** Endings within a sub-domain that only look like its end. */
const ENDING_INSIDE = /^(?:com?|net|org|info|co|gov|de|fr|uk|es|it|ru|br|in|au)$/;

/**
 * How much an address looks like a phishing page: each sign has a weight of 1 to 5, and the sum is returned. Below 3 it is
 * ordinary, from 5 on rarely harmless. Reads names and words only; nothing is looked up.
 */
export function phishingSigns(address: Address): number {
  if (PLACEHOLDER.test(address.host)) return 0;
  if (EVERYBODYS_SITE.test(address.host) && !/(?:^|\.)sites\.google\./.test(address.host)) return 0;
  return hostSigns(address) + pathSigns(address.rest.slice(0, 1000));
}

function pathSigns(rest: string): number {
  // A segment of many words is a headline.
  const names = withoutHeadlines(rest.slice(0, 400));
  const words = countWords(names);
  const inPath = namesBrand(names);
  const isPage = SCRIPT_PAGE.test(rest);
  const speaks = words > 0 || inPath;
  let signs = Math.min(2, words) * 0.75 + (inPath ? 1.25 : 0) + (KIT.test(rest) ? 3.5 : 0);
  if (!ASSET.test(rest)) {
    if (WORDPRESS_INSIDE.test(rest)) signs += 2.25;
    else if (MACHINERY.test(rest) && (speaks || isPage)) signs += speaks ? 1.5 : 0.75;
    if (HIDDEN_FOLDER.test(rest)) signs += 1.5;
  }
  if (SOMEBODYS_MAIL.test(rest)) signs += 1.5;
  if (LONG_HEX.test(rest) && (speaks || isPage)) signs += 1;
  if (isPage && speaks) signs += inPath ? 0.75 : 0.5;
  return signs;
}

function hostSigns({ host, labels, registered, subDomain, rest }: Address): number {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return isPrivate(host) || !SCRIPT_PAGE.test(rest) ? 0.5 : 2.5;
  const isFree = FREE_HOST.test(host);
  // On a free host the name is what its user chose.
  const chosen = isFree ? labels.slice(0, -2) : [...subDomain, registered[0] ?? ''];
  const named = brandSigns(chosen, isFree ? '' : (registered[0] ?? ''), isBlogOfItsOwn(host));
  // Honest sites also have `login.` and `secure.` before a name.
  const words = countWords(chosen.filter((label) => label.includes('-') || !subDomain.includes(label)).join('.'));
  const shape =
    (subDomain.filter((label) => label !== 'www').length >= 3 ? 1.5 : 0) +
    (host.length >= 45 ? 1 : 0) +
    (isNoHeadline(host) || host.split('.').every(isNoHeadline) ? 0 : 1) +
    (/\d{5}/.test(host) ? 0.5 : 0);
  const cheap = CHEAP_ENDING.test(host) ? 1 : 0;
  const both = (named > 0 || words > 0) && (isFree || cheap > 0) ? 1.25 : 0;
  return named + Math.min(2, words) + (isFree ? 0.75 : 0) + cheap + both + shape;
}

/** The name on a host that belongs to another owner. */
function brandSigns(chosen: readonly string[], own: string, isBlog: boolean): number {
  let signs = 0;
  chosen.forEach((label, at) => {
    const isOwn = label === own;
    if (isOwn && BRANDS.has(label)) return;
    if (isOwn || !BRANDS.has(label)) {
      const parts = label.split('-').filter((part) => BRANDS.has(part));
      const isPart = parts.length > 0 && parts.length < label.split('-').length;
      if (isPart && (parts.some((part) => !EVERYDAY.has(part)) || countWords(label) > 0)) signs = Math.max(signs, 2.5);
      else if (namesBrand(label)) signs = Math.max(signs, isBlog ? 0.5 : 1.5);
    } else if (!isBlog) {
      const endsThere = ENDING_INSIDE.test(chosen[at + 1] ?? '') && at + 1 < chosen.length - 1;
      signs = Math.max(signs, endsThere ? 5 : EVERYDAY.has(label) ? 1 : 2);
    }
  });
  return signs;
}

function withoutHeadlines(path: string): string {
  if (isNoHeadline(path)) return path;
  return path
    .split(/([/?])/)
    .filter(isNoHeadline)
    .join('');
}

function isNoHeadline(segment: string): boolean {
  let dashes = 0;
  for (let at = segment.indexOf('-'); at >= 0 && dashes < 3; at = segment.indexOf('-', at + 1)) dashes++;
  return dashes < 3;
}

function isBlogOfItsOwn(host: string): boolean {
  if (BLOG_OF_ITS_OWN.test(host)) return true;
  // Under an ending of any country, of one character at least.
  const label = '.blogspot.';
  const dotted = `.${host}`;
  if (dotted.length <= label.length) return false;
  const at = dotted.lastIndexOf(label, dotted.length - label.length - 1);
  return at >= 0 && /^[a-z.]+$/.test(dotted.slice(at + label.length));
}

function countWords(text: string): number {
  return text.match(CREDENTIAL_WORD)?.length ?? 0;
}

function isPrivate(host: string): boolean {
  return /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\./.test(host);
}
