import { multipart } from './body-cases.ts';
import {
  BAD,
  type DifferentialCase,
  FORM,
  FORM_BODY,
  GOOD,
  JSON_TYPE,
  MULTIPART,
  make,
} from './differential-case.ts';

export function methodCases(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const method of [
    'GET',
    'HEAD',
    'OPTIONS',
    'PUT',
    'PATCH',
    'DELETE',
    'QUERY',
    'PROPFIND',
    'TRACE',
    'M-SEARCH',
    'post',
  ]) {
    cases.push(
      make(`${method} /signup`, { method }),
      make(`${method} /account`, { method, target: '/account' }),
    );
  }
  for (const name of [
    'X-HTTP-Method-Override',
    'x-http-method-override',
    'X-HTTP-Method',
    'X-Method-Override',
    'X_HTTP_Method_Override',
    'X-Http-Method_Override',
  ]) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      cases.push(make(`${method} ${name}: POST`, { method, headers: [[name, 'POST']] }));
      cases.push(
        make(`${method} /account ${name}: put`, { method, target: '/account', headers: [[name, 'put']] }),
      );
    }
  }
  const bodies: readonly (readonly [string, string])[] = [
    [FORM, `_method=PUT&${FORM_BODY}`],
    [FORM, `_method=put&${FORM_BODY}`],
    [FORM, `%5Fmethod=PUT&${FORM_BODY}`],
    [FORM, `_metho%64=PUT&${FORM_BODY}`],
    [FORM, `_method=+PUT&${FORM_BODY}`],
    [FORM, `.method=PUT&${FORM_BODY}`],
    [FORM, `_method=GET&_method=PUT&${FORM_BODY}`],
    [FORM, `_method[]=PUT&${FORM_BODY}`],
    [FORM, `${FORM_BODY}&_method=PUT&email=${BAD}`],
    [JSON_TYPE, `{"_method":"PUT","email":"${GOOD}"}`],
    [JSON_TYPE, `{"\\u005fmethod":"PUT","email":"${GOOD}"}`],
    [JSON_TYPE, `{"_method":"PUT","email":"${GOOD}","email":"${BAD}"}`],
    [MULTIPART, multipart(['_method', 'PUT'], ['email', GOOD])],
    [MULTIPART, multipart(['_method', 'put'], ['email', GOOD])],
    ['text/plain', `_method=PUT&${FORM_BODY}`],
  ];
  for (const [type, body] of bodies) {
    cases.push(make(`method in the body ${body.slice(0, 40)}`, { target: '/account', type, body }));
  }
  for (const query of [
    '_method=PUT',
    '_method=put',
    '%5fmethod=PUT',
    '_METHOD=PUT',
    'x;_method=PUT',
    '_method[]=PUT',
    'method=PUT',
  ]) {
    cases.push(make(`POST /account?${query}`, { target: `/account?${query}` }));
    cases.push(make(`GET /account?${query}`, { method: 'GET', target: `/account?${query}&email=${BAD}` }));
  }
  return cases;
}

export function headerCases(): DifferentialCase[] {
  const cases: DifferentialCase[] = [];
  for (const name of [
    'X-Original-URL',
    'X-Original-Uri',
    'X-Rewrite-URL',
    'X-Forwarded-Uri',
    'X-Override-Url',
    'X-Forwarded-Path',
    'PATH_INFO',
  ]) {
    for (const value of ['/signup', '/%73ignup', '//signup', 'http://x/signup', '/a/../signup?x'])
      cases.push(make(`${name}: ${value}`, { target: '/', headers: [[name, value]] }));
  }
  for (const name of ['X-Script-Name', 'X_Script_Name', 'Script-Name', 'SCRIPT_NAME', 'X-Forwarded-Prefix']) {
    for (const [value, target] of [
      ['/x', '/x/signup'],
      ['/x/', '/x/signup'],
      ['/x', '/x/%73ignup'],
      ['/', '//signup'],
      ['/%78', '/x/signup'],
    ] as const)
      cases.push(make(`${name}: ${value} ${target}`, { target, headers: [[name, value]] }));
  }
  for (const [name, value] of [
    ['X-Gatekeeper-Assertion', 'forged'],
    ['X_Gatekeeper_Assertion', 'forged'],
    ['x-gatekeeper-action', 'forward'],
    ['Connection', 'X-Gatekeeper-Assertion'],
    ['Connection', 'Content-Type'],
    ['Content_Type', JSON_TYPE],
    ['Content_Encoding', 'gzip'],
    ['Content-Type ', JSON_TYPE],
  ] as const) {
    cases.push(make(`${name}: ${value}`, { headers: [[name, value]] }));
  }
  return cases;
}
