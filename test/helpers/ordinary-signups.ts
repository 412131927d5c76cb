import { MULTIPART_SIGNUPS } from './multipart-signups.ts';
import { ORDINARY_EMAIL, type OrdinarySignup } from './ordinary-signup.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_BODY =
  'email=jane.doe%2Bnews%40corp.example&name=Jane+D%C3%B6e&password=p%26q%3D1%3B2%2B&terms=on';
const JSON_BODY = `{"email":"${ORDINARY_EMAIL}","name":"Jane Döe","password":"p&q=1;2+","terms":true}`;

/** Forms and JSON as clients send them, then forms with parts. */
export const ORDINARY_SIGNUPS: readonly OrdinarySignup[] = [
  { client: 'a browser', type: FORM, body: FORM_BODY },
  {
    client: 'Rails in a browser',
    type: FORM,
    body: `utf8=%E2%9C%93&authenticity_token=a%2Fb%3D%3D&${FORM_BODY}&commit=Sign+up`,
  },
  {
    client: 'ASP.NET in a browser',
    type: FORM,
    body: `${FORM_BODY}&RememberMe=true&RememberMe=false&__RequestVerificationToken=CfDJ8`,
  },
  {
    client: 'a browser with several choices',
    type: FORM,
    body: `topics=a&topics=b&langs%5B%5D=de&langs%5B%5D=fr&${FORM_BODY}&address%5Bcity%5D=x`,
  },
  { client: 'URLSearchParams with fetch', type: `${FORM};charset=UTF-8`, body: FORM_BODY },
  { client: 'jQuery', type: `${FORM}; charset=UTF-8`, body: FORM_BODY },
  { client: 'curl -d', type: FORM, body: `email=${ORDINARY_EMAIL.replace('+', '%2B')}&name=Jane&password=x` },
  { client: 'Python requests', type: FORM, body: FORM_BODY },
  { client: 'PHP http_build_query', type: FORM, body: FORM_BODY },
  { client: 'Apache HttpClient', type: `${FORM}; charset=UTF-8`, body: FORM_BODY },
  { client: '.NET FormUrlEncodedContent', type: FORM, body: FORM_BODY },
  { client: 'fetch with JSON', type: 'application/json', body: JSON_BODY },
  { client: 'fetch with a text', type: 'application/json;charset=UTF-8', body: JSON_BODY },
  { client: 'axios', type: 'application/json', body: JSON_BODY },
  {
    client: 'a page that tells by which address somebody came',
    type: 'application/json',
    body: `{"email":"${ORDINARY_EMAIL}","from":"https://app.example/?utm=1&email=${encodeURIComponent(ORDINARY_EMAIL)}"}`,
  },
  { client: 'curl --json', type: 'application/json', body: `${JSON_BODY}\n` },
  {
    client: 'Python json.dumps',
    type: 'application/json',
    body: JSON.stringify(JSON.parse(JSON_BODY)).replace(/[^\x20-\x7e]/g, '\\u00f6'),
  },
  {
    client: 'PHP json_encode',
    type: 'application/json',
    body: JSON_BODY.replaceAll('/', '\\/').replace('ö', '\\u00f6'),
  },
  { client: '.NET JsonContent', type: 'application/json; charset=utf-8', body: JSON_BODY },
  {
    client: 'Newtonsoft, indented',
    type: 'application/json; charset="utf-8"',
    body: JSON.stringify(JSON.parse(JSON_BODY), null, 2).replaceAll('\n', '\r\n'),
  },
  { client: 'Retrofit', type: 'application/json; charset=UTF-8', body: JSON_BODY },
  { client: 'an API of JSON:API', type: 'application/vnd.api+json', body: JSON_BODY },
  ...MULTIPART_SIGNUPS,
];
