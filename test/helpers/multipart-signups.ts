import {
  disposition,
  FIELDS,
  form,
  noFile,
  ORDINARY_EMAIL,
  type OrdinarySignup,
  parts,
  phonePicture,
  picture,
  plain,
} from './ordinary-signup.ts';

/** Forms as `multipart/form-data`. */
export const MULTIPART_SIGNUPS: readonly OrdinarySignup[] = [
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
