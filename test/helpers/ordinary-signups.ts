/** A signup as a client of that name sends it: content type and body, byte for byte. */
export interface OrdinarySignup {
  readonly client: string;
  readonly type: string;
  readonly body: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

export const ORDINARY_EMAIL = 'jane.doe+news@corp.example';

const FORM = 'application/x-www-form-urlencoded';
const FORM_BODY =
  'email=jane.doe%2Bnews%40corp.example&name=Jane+D%C3%B6e&password=p%26q%3D1%3B2%2B&terms=on';
const JSON_BODY = `{"email":"${ORDINARY_EMAIL}","name":"Jane Döe","password":"p&q=1;2+","terms":true}`;

interface Part {
  readonly head: readonly string[];
  readonly value: string;
}

function form(boundary: string, parts: readonly Part[], { before = '', after = '\r\n' } = {}): string {
  const texts = parts.map(({ head, value }) => `--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${value}\r\n`);
  return `${before}${texts.join('')}--${boundary}--${after}`;
}

const FIELDS = [
  ['email', ORDINARY_EMAIL],
  ['name', 'Jane Döe'],
  ['password', 'p&q=1;2+'],
] as const;

function parts(headOf: (name: string, value: string) => readonly string[]): readonly Part[] {
  return FIELDS.map(([name, value]) => ({ head: headOf(name, value), value }));
}

const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const plain = parts((name) => [disposition(name)]);
const noFile: Part = {
  head: [
    'Content-Disposition: form-data; name="avatar"; filename=""',
    'Content-Type: application/octet-stream',
  ],
  value: '',
};
const picture: Part = {
  head: [
    'Content-Disposition: form-data; name="avatar"; filename="me & my=1.png"',
    'Content-Type: image/png',
  ],
  value: '\x89PNG\r\n\x1a\n--x\r\n\0&name=;=',
};

/** The name of the picture twice, as apps on phones send it: the second time as RFC 8187 has it. */
const phonePicture: Part = {
  head: [
    `Content-Disposition: form-data; name="avatar"; filename="Bob's öl.png"; filename*=utf-8''Bob's%20%C3%B6l.png`,
    'Content-Type: image/png',
  ],
  value: picture.value,
};

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
  {
    client: 'Chrome',
    type: 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
    body: form('----WebKitFormBoundary7MA4YWxkTrZu0gW', [...plain, noFile]),
  },
  {
    client: 'a form that tells by which address somebody came',
    type: 'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
    body: form('----WebKitFormBoundary7MA4YWxkTrZu0gW', [
      {
        head: [disposition('from')],
        value: `https://app.example/?utm=1&email=${encodeURIComponent(ORDINARY_EMAIL)}`,
      },
      ...plain,
    ]),
  },
  {
    client: 'Firefox',
    type: 'multipart/form-data; boundary=----geckoformboundary5c3f8e5d0ab',
    body: form('----geckoformboundary5c3f8e5d0ab', [...plain, picture]),
  },
  {
    client: 'older Firefox',
    type: 'multipart/form-data; boundary=---------------------------9051914041544843365972754266',
    body: form('---------------------------9051914041544843365972754266', [noFile, ...plain]),
  },
  {
    client: 'Node fetch',
    type: 'multipart/form-data; boundary=----formdata-undici-034567890123',
    body: form('----formdata-undici-034567890123', plain),
  },
  {
    client: 'axios with a form',
    type: 'multipart/form-data; boundary=axios-1.7.9-boundary-Zr2H_xY0c4-Q',
    body: form('axios-1.7.9-boundary-Zr2H_xY0c4-Q', plain),
  },
  {
    client: 'form-data of Node, Postman',
    type: 'multipart/form-data; boundary=--------------------------123456789012345678901234',
    body: form('--------------------------123456789012345678901234', plain),
  },
  {
    client: 'curl -F',
    type: 'multipart/form-data; boundary=------------------------d74496d66958873e',
    body: form('------------------------d74496d66958873e', [...plain, picture]),
  },
  {
    client: 'Python requests with files',
    type: 'multipart/form-data; boundary=3d1f5c0b4c3e4b7d9a0b1c2d3e4f5a6b',
    body: form('3d1f5c0b4c3e4b7d9a0b1c2d3e4f5a6b', [...plain, picture]),
  },
  {
    client: 'Apache HttpMime',
    type: 'multipart/form-data; boundary=dGhpc19pcy1hLWJvdW5kYXJ5',
    body: form(
      'dGhpc19pcy1hLWJvdW5kYXJ5',
      FIELDS.map(([name, value]) => ({
        head: [
          disposition(name),
          'Content-Type: text/plain; charset=ISO-8859-1',
          'Content-Transfer-Encoding: 8bit',
        ],
        value: value.replace('ö', 'oe'),
      })),
    ),
  },
  {
    client: 'OkHttp',
    type: 'multipart/form-data; boundary=7f3c1a52-9a0b-4c55-8f0e-2b4f8f1d9b11',
    body: form(
      '7f3c1a52-9a0b-4c55-8f0e-2b4f8f1d9b11',
      parts((name, value) => [disposition(name), `Content-Length: ${Buffer.byteLength(value)}`]),
    ),
  },
  {
    client: 'Retrofit with parts',
    type: 'multipart/form-data; boundary=7f3c1a52-9a0b-4c55-8f0e-2b4f8f1d9b11',
    body: form(
      '7f3c1a52-9a0b-4c55-8f0e-2b4f8f1d9b11',
      parts((name, value) => [
        disposition(name),
        'Content-Transfer-Encoding: binary',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(value)}`,
      ]),
    ),
  },
  {
    client: '.NET MultipartFormDataContent',
    type: 'multipart/form-data; boundary="a3a5b0f2-5c1c-4a3c-8f0e-0d9b1c2e3f40"',
    body: form(
      'a3a5b0f2-5c1c-4a3c-8f0e-0d9b1c2e3f40',
      parts((name) => [
        'Content-Type: text/plain; charset=utf-8',
        `Content-Disposition: form-data; name=${name}`,
      ]),
    ),
  },
  {
    client: 'Go mime/multipart',
    type: 'multipart/form-data; boundary=b0f9a1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8',
    body: form('b0f9a1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8', plain),
  },
  {
    client: 'Alamofire',
    type: 'multipart/form-data; boundary=alamofire.boundary.5f3c9a1b2d4e6f70',
    body: form('alamofire.boundary.5f3c9a1b2d4e6f70', plain),
  },
  {
    client: 'a handwritten URLSession',
    type: 'multipart/form-data; boundary=Boundary-0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9',
    body: form('Boundary-0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9', plain),
  },
  {
    client: 'Dart http',
    type: 'multipart/form-data; boundary=dart-http-boundary-LQ.0+_xX2fGk7Y1mVn',
    body: form(
      'dart-http-boundary-LQ.0+_xX2fGk7Y1mVn',
      parts((name) => [`content-disposition: form-data; name="${name}"`]),
    ),
  },
  {
    client: 'Dart http with an accent',
    type: 'multipart/form-data; boundary=dart-http-boundary-LQ.0+_xX2fGk7Y1mVn',
    body: form(
      'dart-http-boundary-LQ.0+_xX2fGk7Y1mVn',
      parts((name) => [
        `content-disposition: form-data; name="${name}"`,
        'content-type: text/plain; charset=utf-8',
        'content-transfer-encoding: binary',
      ]),
    ),
  },
  {
    client: 'dio',
    type: 'multipart/form-data; boundary=--dio-boundary-0123456789',
    body: form(
      '--dio-boundary-0123456789',
      parts((name) => [`content-disposition: form-data; name="${name}"`]),
    ),
  },
  {
    client: 'React Native',
    type: 'multipart/form-data; boundary=MMeyYDS.3n1sT2Kq9wZrVbXcLpOa',
    body: form(
      'MMeyYDS.3n1sT2Kq9wZrVbXcLpOa',
      parts((name) => [`content-disposition: form-data; name="${name}"`]),
    ),
  },
  {
    client: 'React Native with a picture',
    type: 'multipart/form-data; boundary=MMeyYDS.3n1sT2Kq9wZrVbXcLpOa',
    body: form('MMeyYDS.3n1sT2Kq9wZrVbXcLpOa', [...plain, phonePicture]),
  },
  {
    client: '.NET MultipartFormDataContent with a picture',
    type: 'multipart/form-data; boundary="a3a5b0f2-5c1c-4a3c-8f0e-0d9b1c2e3f40"',
    body: form('a3a5b0f2-5c1c-4a3c-8f0e-0d9b1c2e3f40', [
      ...parts((name) => [
        'Content-Type: text/plain; charset=utf-8',
        `Content-Disposition: form-data; name=${name}`,
      ]),
      {
        head: ["Content-Disposition: form-data; name=avatar; filename=me.png; filename*=utf-8''me.png"],
        value: picture.value,
      },
    ]),
  },
  {
    client: 'an Android tutorial',
    type: 'multipart/form-data;boundary=*****',
    body: form('*****', plain),
  },
  {
    client: 'Unity',
    type: 'multipart/form-data; boundary="0123456789abcdefghijABCDEFGHIJ0123456789"',
    body: form(
      '0123456789abcdefghijABCDEFGHIJ0123456789',
      parts((name) => [
        'Content-Type: text/plain; charset="utf-8"',
        `Content-disposition: form-data; name="${name}"`,
      ]),
      { before: '\r\n' },
    ),
  },
  {
    client: 'javax.mail',
    type: 'multipart/form-data; boundary="----=_Part_0_1330370643.1700000000000"',
    body: form('----=_Part_0_1330370643.1700000000000', plain),
  },
  {
    client: 'Spring RestTemplate',
    type: 'multipart/form-data;charset=UTF-8;boundary=QbTh3n0Zp7x-_1aB2cD3eF',
    body: form(
      'QbTh3n0Zp7x-_1aB2cD3eF',
      parts((name, value) => [
        disposition(name),
        'Content-Type: text/plain;charset=UTF-8',
        `Content-Length: ${Buffer.byteLength(value)}`,
      ]),
    ),
  },
  {
    client: 'Ruby Net::HTTP',
    type: 'multipart/form-data; boundary=QYZyJQ0mFFgVz6Zr0h1kT2WkM3nYb4Xc',
    body: form('QYZyJQ0mFFgVz6Zr0h1kT2WkM3nYb4Xc', plain),
  },
  {
    client: 'libwww-perl',
    type: 'multipart/form-data; boundary=xYzZY',
    body: form('xYzZY', plain),
  },
  {
    client: 'PowerShell',
    type: 'multipart/form-data; boundary="5f1d6c8e-37e3-4a1d-bf1c-52f2a5b0a1c3"',
    body: form(
      '5f1d6c8e-37e3-4a1d-bf1c-52f2a5b0a1c3',
      parts((name) => ['Content-Type: text/plain; charset=utf-8', disposition(name)]),
    ),
  },
];
