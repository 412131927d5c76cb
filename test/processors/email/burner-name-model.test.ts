import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type DomainName, parseDomainName } from '../../../src/addresses/email-address.ts';
import { loadBurnerNameModel } from '../../../src/processors/email/burner-name-model.ts';
import { weighDomain } from '../../../src/processors/email/domain-suspicion.ts';
import { sharedLines } from '../../helpers/shared-data.ts';

const models = fileURLToPath(new URL('../../../models/', import.meta.url));
const model = loadBurnerNameModel(models);
const domain = (name: string): DomainName => {
  const read = parseDomainName(name);
  if (!read) throw new Error(`no domain: ${name}`);
  return read;
};
const isBurnerLike = (name: string) =>
  (model.score(domain(name)) ?? Number.NEGATIVE_INFINITY) >= model.threshold;

for (const name of ['tempmailbox24.xyz', 'x7k2q9.ml', 'dropmail99.top', 'fakeinbox-now.site', 'a83kd02.cf']) {
  test(`${name} is named like a throwaway domain`, (t) => {
    t.true(isBurnerLike(name));
  });
}

for (const name of [
  'siemens-energy.com',
  'stadtwerke-muenchen.de',
  'firstnationalbankofomaha.com',
  'oxfordcityfootball.co.uk',
  'ministerio.gob.mx',
  'sub.volkswagen.de',
]) {
  test(`${name} is not`, (t) => {
    t.false(isBurnerLike(name));
  });
}

test('ordinary words under a suffix that throwaway services like do not lead to a verification', (t) => {
  for (const name of [
    'blumenhaus.shop',
    'green-tea.store',
    'mueller-consulting.tech',
    'lindenhof.online',
    'mybakery.online',
    'studio-nord.shop',
    'gartenbau-weber.site',
    'smithandsons.store',
  ]) {
    const [score, letters] = [model.score(domain(name)), model.letters(domain(name))];
    const evidence = {
      name: model.logRatio(score ?? t.fail()),
      letters,
      isListed: false,
      isUnderHost: false,
    };
    t.true(weighDomain(evidence).probability <= 0.5 + 1e-9, `${name}: letters ${letters}`);
  }
});

test('the model keeps silent on international names and on suffixes alone', (t) => {
  t.is(model.score(domain('bücher.de')), null);
  t.is(model.letters(domain('bücher.de')), null);
  t.is(model.score(domain('co.uk')), null);
});

const { content: universities } = sharedLines('university-domains.txt');
const { content: authorities } = sharedLines('us-government-domains.txt');

test('next to no university and no authority is burner-like', (t) => {
  const flagged = (names: readonly string[]) =>
    names.filter((name) => parseDomainName(name) && isBurnerLike(name));
  t.true(flagged(universities).length <= universities.length / 1_000);
  t.deepEqual(flagged(authorities), []);
});

test('weights that are missing, damaged or of another version are refused with the remedy', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatekeeper-models-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.throws(() => loadBurnerNameModel(folder), { message: /cannot be used: ENOENT.*npm run train/ });
  cpSync(models, folder, { recursive: true });
  appendFileSync(join(folder, 'burner-names.bin'), 'more');
  t.throws(() => loadBurnerNameModel(folder), { message: /not the file that its manifest names/ });
  writeFileSync(join(folder, 'burner-names.json'), '{"format": 1}');
  t.throws(() => loadBurnerNameModel(folder), { message: /its format is 1, not 3/ });
});
