import type { RuleExamples } from '../../core/inspect/rule.ts';

/** Hosts end in `.tld` and the like, which nobody can register. */
export const MALICIOUS_URL_EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  'malicious-url/phishing-page': {
    positives: [
      'Please sign in at http://paypal.com.user-7f3d.tld/webapps/login',
      'https://icloud-verify.xyz/login',
      'https://bakery.tld/wp-includes/pomo/dhl/index.php?email=anna@mail.tld',
      'See https://microsoft-login.azurewebsites.net/.',
    ],
    negatives: [
      { text: 'https://www.paypal.com/signin', reason: 'its own host' },
      { text: 'https://accounts.google.com/signin/v2/identifier', reason: 'everybody knows it' },
      { text: 'https://shop.tld/account/login.php', reason: 'any shop' },
      { text: 'https://news.tld/2023/paypal-account-security-update/', reason: 'a headline' },
      { text: 'https://bakery.tld/wp-content/uploads/2020/menu.pdf', reason: 'an uploaded file' },
      { text: 'https://auth.acme.tld/login?redirect=/account', reason: 'an honest sub-domain' },
      { text: 'https://facebook.github.io/react/', reason: 'a project page' },
      { text: 'https://www.cs.college.ac.uk/research/security/', reason: 'a department of a university' },
      { text: 'https://%NAME%.%REGION%-%PROJECT%.service.tld/v1/accounts/login', reason: 'a template' },
    ],
  },
  'malicious-url/lookalike-host': {
    positives: ['https://paypa1.tld/', 'https://rnicrosoft.tld/', 'https://pаypal.tld/', 'https://xn--pypal-4ve.tld/'],
    negatives: [
      { text: 'https://münchen.tld/', reason: 'a city' },
      { text: 'https://пример.tld/', reason: 'one script' },
      { text: 'https://paypal.com/', reason: 'the name itself' },
      { text: 'https://xn--mnchen-3ya.tld/', reason: 'a city' },
    ],
  },
  'malicious-url/name-before-host': {
    positives: ['https://www.mybank.com@evil.tld/x', 'http://paypal.com:login@203.0.113.9/'],
    negatives: [
      { text: 'https://anna.li@bitbucket.org/acme/app.git', reason: 'a user of a code host' },
      { text: 'https://medium.tld/@anna.com', reason: 'a path' },
      { text: 'mail anna@mybank.com', reason: 'a mailbox' },
    ],
  },
  'malicious-url/number-host': {
    positives: ['http://3232235777/admin', 'http://0x7f.0.0.1/', 'http://0300.0250.01.01/x'],
    negatives: [
      { text: 'http://203.0.113.9/index', reason: 'as it is usually written' },
      { text: 'http://1and1.tld/', reason: 'a name' },
      { text: 'http://2048.tld/', reason: 'a name' },
    ],
  },
  'malicious-url/disguised-program': {
    positives: ['Open invoice_2024.pdf.exe now', 'https://files.tld/photo.jpg.scr'],
    negatives: [
      { text: 'report.pdf and setup.exe', reason: 'two files' },
      { text: 'messages.en.json.js', reason: 'code' },
      { text: 'archive.tar.gz', reason: 'an archive' },
    ],
  },
  'malicious-url/script-link': {
    positives: [
      'javascript:eval(atob(x))',
      'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
      'data:text/html,%3Cform%20action=https://evil.tld%3E',
    ],
    negatives: [
      { text: `data:text/html;base64,${btoa('<p>The museum opens at nine.</p>')}`, reason: 'a page of text' },
      { text: 'data:text/html,%3Ch1%3EHello%20there%3C/h1%3E', reason: 'a page of text' },
      { text: '<a href="javascript:void(0)">', reason: 'does nothing' },
      { text: 'Learn JavaScript: the document object model', reason: 'a title' },
      { text: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg', reason: 'a picture' },
    ],
  },
  'malicious-url/defanged': {
    positives: ['hxxps://evil.tld/x', 'beacon to evil[.]tld'],
    negatives: [{ text: 'an array a[.5]', reason: 'code' }],
  },
};
