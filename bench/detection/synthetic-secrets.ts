import { AI_AND_CLOUD_TOKEN_TEMPLATES } from '../../functions/inspection/detectors/secrets/ai-and-cloud-tokens.ts';
import { BUSINESS_TOKEN_TEMPLATES } from '../../functions/inspection/detectors/secrets/business-tokens.ts';
import { DEVELOPMENT_TOKEN_TEMPLATES } from '../../functions/inspection/detectors/secrets/development-tokens.ts';
import { fill, seeded } from '../../functions/inspection/detectors/secrets/example-tokens.ts';
import { base62Checksum } from '../../functions/kernel/crypto/index.ts';

/** Where secrets turn up. `{}` is the secret. */
const PLACES = [
  'export SERVICE_TOKEN={}',
  '{"credentials": {"token": "{}"}}',
  'const client = new Client("{}");',
  'My key is {}, why does the call fail?',
  'curl -H "X-Auth: {}" https://api.acme.io/v1/me',
  'token: {}\nregion: eu-west-1',
];
/** Secrets without a distinct form: only the text beside them identifies them. */
const NAMED = [
  'DB_PASSWORD={l4}#{w8}{d2}',
  'api_key = "{w32}"',
  'client_secret: {h40}',
  '"authToken": "{w44}"',
  'aws_secret_access_key = {w40}',
  'postgres://app:{w14}@db.acme.io:5432/main',
  'Authorization: Bearer {w40}',
  'curl -u deploy:{w16} https://ci.acme.io/job/1',
  'DATADOG_API_KEY={h32}',
  'heroku_key = {h8}-{h4}-{h4}-{h4}-{h12}',
  'my password is {w5}!{d3}{w4}',
  'redis://:{w20}@cache.acme.io:6379/0',
  'nats://jobs:{l6}{d2}{l4}@mq.acme.io:4222',
  'Server=sql.acme.io;Database=main;User Id=app;Password={l8}{d2};',
  'jdbc:postgresql://db.acme.io/main?user=app&password={l6}{d3}',
  'endpoint=https://acme.communication.azure.com/;accesskey={w86}==',
  'Cookie: lang=de; session={w40}',
  'machine api.acme.io login deploy password {l6}{d2}{u4}',
  "CREATE USER app IDENTIFIED BY '{l6}{d2}{u4}'",
  'mysqldump -u root -p{l6}{d2}{u4} main',
  'docker login -u ci -p {l6}{d2}{u4} registry.acme.io',
  'deploy --api-key {w32} --region eu',
  "define('DB_PASSWORD', '{l6}#{d2}{u4}');",
  '<add key="ApiKey" value="{w32}" />',
  '- name: SMTP_PASS\n  value: {l6}{d2}{u4}',
  'acme_key: "{w32}"',
  '// api_key := `{w32}`',
  'Private-Lines: 14\n{w64}\n{w64}\nPrivate-MAC: {h40}',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi{w40}.{w43}',
];
const LOOK_ALIKES = [
  'commit {h40}',
  'sha256:{h64}',
  'etag "{h32}"',
  'request id {h8}-{h4}-{h4}-{h4}-{h12}',
  'integrity: sha512-{w86}==',
  'background: #{h6}; color: #{h6}',
  'img src="/assets/index-{w8}.js"',
  'data:image/png;base64,iVBORw0KGgo{w120}',
  'trace_id={h32} span_id={h16}',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{w43} anna@laptop',
  'https://youtu.be/{w11}',
  'https://docs.acme.io/d/{w44}/edit',
  'order {u10} shipped on 2024-0{d1}-1{d1}',
  'version 1.{d2}.{d3}-rc.{d1}+build.{d5}',
  'pod/api-{l9}-{l5} restarted',
  'customer cus_{w14} has invoice in_1{w23}',
  'publicKey: "{w44}"',
  'nextPageToken: "{w60}"',
  'key={l6}&page={d2}',
  'the password must have {d2} characters',
  'api_key = os.environ["KEY_{d3}"]',
  'token = get_token(user_id={d6})',
  'password: ********{d1}',
  'AKIAXXXXXXXXXXXXXXX{d1}',
  'sk-your-api-key-{d4}',
  'GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{d1}',
  'secretName: db-credentials-{d3}',
  'digest: {h64} size: {d7}',
  'MD5 ({w8}.iso) = {h32}',
  'session expired after {d5} seconds',
  'password = get_password("db_main_{d1}")',
  'password: "{{ vault_db_password{d1} }}"',
  'postgres://$DB_USER:$DB_PASS{d1}@db.acme.io/main',
  'mongodb+srv://<user>:<password>@cluster{d1}.mongodb.net',
  'Server=sql{d1};User ID=myUsername;Password=myPassword;',
  'setPassword("newPassword{d1}")',
  'Set-Cookie: csrftoken={w32}; Path=/',
  'mysql -u root -p main{d1} < dump.sql',
  'docker run -p 80{d2}:8080 acme/app:{d1}.{d2}',
  'Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ= # {d2}',
  'cache_key: "{h32}"',
  'password_hash = "$2b$12$a{w52}"',
  'tokenizer = "gpt2-medium-{d3}M"',
  '-----BEGIN CERTIFICATE-----\n{w64}\n{w64}\n-----END CERTIFICATE-----',
  'secretArn: arn:aws:secretsmanager:eu-west-1:{d12}:secret:db-{w6}',
  'GITHUB_TOKEN: {{ secrets.GITHUB_TOKEN }} # {d2}',
  'client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t{w200}',
  '<label for="password">Password ({d1}+ characters)</label>',
];

/** Secrets in usual places: `each` of every vendor's form, and as many that only a name identifies. */
export function syntheticSecrets(each: number): string[] {
  const random = seeded(20_261_121);
  const pick = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] as string;
  const forms = [AI_AND_CLOUD_TOKEN_TEMPLATES, DEVELOPMENT_TOKEN_TEMPLATES, BUSINESS_TOKEN_TEMPLATES].flatMap(
    (templates) => Object.values(templates).flat(),
  );
  const vendors = forms.flatMap((form) =>
    Array.from({ length: each }, () => pick(PLACES).replace('{}', () => fill(form, random))),
  );
  const checked = ['ghp_', 'npm_'].flatMap((prefix) =>
    Array.from({ length: each }, () => {
      const body = fill('{w30}', random);
      return pick(PLACES).replace('{}', `${prefix}${body}${base62Checksum(body)}`);
    }),
  );
  const named = NAMED.flatMap((form) => Array.from({ length: each }, () => fill(form, random)));
  return [...vendors, ...checked, ...named];
}

/** Texts that look as if they held a secret: hashes, ids, names, placeholders. */
export function secretLookAlikes(each: number): string[] {
  const random = seeded(7);
  return LOOK_ALIKES.flatMap((form) => Array.from({ length: each }, () => fill(form, random)));
}
