import test from 'ava';
import { CHROMIUM } from '../../helpers/browser.ts';
import { lookAt } from '../../helpers/looks.ts';
import { type DashboardServer, startDashboard } from '../dashboard-server.ts';
import { openPage } from './open-page.ts';
import { storeDecisions, withIdentity } from './stored-decisions.ts';

const testWithBrowser = CHROMIUM === null ? test.skip : test;
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)//'",
  '</textarea></select><svg/onload=alert(1)>',
  '{{7*7}}<%= 7*7 %>',
  '\u202eexe.gpj\u0000\u2028',
];

/** Decisions of every kind with hostile text in each field. */
async function storeHostile(server: DashboardServer) {
  return storeDecisions(
    server,
    HOSTILE.flatMap((text, n) => [
      {
        ...withIdentity({
          template: 'templatetemplatetempla',
          mailbox: `mailbox${n}`,
          domain: text,
          network: text,
        }),
        ...{ route: text, plain: { email: text, ip: text, userAgent: text } },
        ...{ trustScore: 20, riskLevel: 'high' as const, action: 'block' as const, degraded: true },
        examinations: {
          email: {
            classification: 'corporate_email' as const,
            evidence: text,
            findings: [{ code: 'disposable_email' as const, evidence: text }],
            incomplete: text,
          },
          ...{ ip_address: null, velocity: null, user_agent: null },
        },
      },
    ]),
  );
}

testWithBrowser('axe finds nothing, and no hostile text runs or spills', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  const [hostile] = await storeHostile(server);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 360 });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const { body } = await operator.get('/campaigns');
  const campaign = /href="(\/campaigns\/one[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const paths = {
    list: '/decisions',
    narrowed: `/decisions?level=high&route=${encodeURIComponent(HOSTILE[1] ?? '')}&from=2026-01-01T00:00`,
    refused: `/decisions?level=${encodeURIComponent(HOSTILE[0] ?? '')}`,
    nothing: '/decisions?level=low',
    decision: `/decisions/${hostile?.requestId}`,
    campaigns: '/campaigns',
    campaign,
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(server.url + path);
    await lookAt(t, page, `hostile text ${name}`);
  }
  t.deepEqual(dialogs, []);
});

/** The place of an element, from `getBoundingClientRect`. */
interface Box {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly width: number;
}
const CELLS = ['.of-action', '.of-reason', '.of-time'];

testWithBrowser('a phone shows every place in two lines, and reason and action of a decision', async (t) => {
  const server = await startDashboard(t);
  const operator = await server.signIn('operator');
  await storeDecisions(server, [{ action: 'block', riskLevel: 'high' }]);
  const page = await openPage(t, server, operator, { scheme: 'light', width: 360 });
  await page.goto(`${server.url}/decisions`);
  // Measured at once: every few seconds the page replaces its rows, and a row that is gone has no place.
  const selectors = ['nav[aria-label="Pages"] a', ...CELLS.map((cell) => `tbody ${cell}`)];
  const measured: readonly (readonly Box[])[] = await page.evaluate(
    `${JSON.stringify(selectors)}.map((selector) =>
      [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().toJSON()))`,
  );
  const [places = [], ...cells] = measured;
  t.is(places.length, 11);
  t.is(new Set(places.map(({ y }) => Math.round(y))).size, 2, JSON.stringify(places));
  for (const [i, boxes] of cells.entries()) t.is(boxes.length, 1, CELLS[i]);
  const isCut = ({ left, right, width }: Box) => left < 0 || right > 360 || width === 0;
  t.deepEqual(measured.flat().filter(isCut), []);
});
