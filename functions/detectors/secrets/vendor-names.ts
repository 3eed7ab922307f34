/**
 * Services whose keys have no prefix of their own: drawn characters assigned to one of these names are taken for a key.
 * Alternatives of a pattern in lower case. Names that are everyday words are left out: `linear_token` is found by its `token`.
 */
export const VENDOR_NAMES = [
  'adafruit|adobe|airtable|algolia|alibaba|aliyun|artifactory|asana|atlassian|auth0|beamer|bintray|bitbucket',
  'bittrex|cloudflare|codecov|coinbase|confluence|confluent|contentful|cohere|datadog|discord|droneci',
  'dropbox|etsy|facebook|fastly|finicity|finnhub|flickr|freshbooks|gitter|gocardless|heroku|hubspot|intercom',
  'jfrog|jira|kraken|kucoin|launchdarkly|linkedin|looker|lob|mailchimp|mailgun|mapbox|mattermost|maxmind',
  'meraki|message[_-]?bird|mistral|netlify|new[_-]?relic|nytimes|okta|openai|pagerduty|plaid|privateai',
  'pusher|rapidapi|segment|sendbird|sendgrid|sentry|shopify|snyk|sonar|squarespace|sumologic',
  'sumo[_.-]?(?:access|api|token|key)|travis|trello|twilio|twitch|twitter|vercel|yandex|zendesk|deepgram',
  'assemblyai|azure|wandb|cloudinary|razorpay|paypal|braintree|zoom',
].join('|');
