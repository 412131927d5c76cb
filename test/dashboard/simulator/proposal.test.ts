import test from 'ava';
import { parseListEntry } from '../../../src/assessment/list-entry.ts';
import { REASONS } from '../../../src/assessment/reasons.ts';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { policyOf } from '../../../src/configured-judge.ts';
import {
  type FormIssues,
  isMistaken,
  type Proposal,
  readProposal,
} from '../../../src/dashboard/simulator/proposal.ts';
import { proposalAsYaml } from '../../../src/dashboard/simulator/proposal-yaml.ts';
import { currentForm } from '../../../src/dashboard/simulator/simulator-form.ts';
import { defaultConfig } from '../../helpers/default-config.ts';

function configOf(text: string): Config {
  const isListEntry = (entry: string) => parseListEntry(entry) !== null;
  const knownNames = {
    reasons: REASONS,
    isListEntry,
    warnOfReach: () => null,
    feedSources: [],
    texts: [],
    languages: [],
    findOverlaps: () => [],
  };
  return loadConfig({ file: null, text, env: {}, knownNames }).config;
}

function proposalOf(changes: Readonly<Record<string, string>>, config = defaultConfig): Proposal {
  const read = readProposal({ ...currentForm(config), ...changes });
  if (isMistaken(read)) throw new Error([...read].join('\n'));
  return read;
}

function issuesOf(changes: Readonly<Record<string, string>>): FormIssues {
  const read = readProposal({ ...currentForm(defaultConfig), ...changes });
  return isMistaken(read) ? read : new Map();
}

test('the first form has the current policy, and gives no YAML to paste', (t) => {
  const own = configOf(
    'scoring: {points: {tor_ip: 50, role_email: 0.5}, decisive: [tor_ip]}\nlists: {deny: [a.example]}',
  );
  for (const config of [defaultConfig, own]) {
    const proposal = proposalOf({}, config);
    t.deepEqual(proposal.policy, policyOf(config.scoring));
    t.is(proposalAsYaml(proposal, config), '');
  }
});

test('the YAML to paste has only the changed values', (t) => {
  const proposal = proposalOf({ 'levels-low': '80', points: 'tor_ip: 50', deny: 'bad.example\nAS64500' });
  t.is(
    proposalAsYaml(proposal, defaultConfig),
    'scoring:\n  levels:\n    low: 80\n  points:\n    tor_ip: 50\nlists:\n  deny:\n    - bad.example\n    - AS64500\n',
  );
});

test('the YAML pasted into the configuration gives the simulated policy', (t) => {
  const given =
    'scoring:\n  points: {tor_ip: 50}\n  weights: {email: 50}\n  decisive: [tor_ip]\nlists:\n  deny: [a.example]\n';
  const config = configOf(given);
  const proposal = proposalOf(
    {
      points: 'role_email = 3.5',
      decisive: 'proxy_ip\ntor_ip',
      'weights-email': '20',
      'caps-decisive': '0',
      allow: 'b.example',
      deny: 'a.example\nc.example',
    },
    config,
  );
  const pasted = configOf(proposalAsYaml(proposal, config));
  const merged = configOf(
    `scoring:\n  points: {tor_ip: ${pasted.scoring.points.tor_ip}, role_email: 3.5}\n  weights: {email: 20}\n  decisive: [proxy_ip, tor_ip]\n  caps: {decisive: 0}\n`,
  );
  t.deepEqual({ ...merged.scoring.points }, { tor_ip: REASONS.tor_ip.points, role_email: 3.5 });
  t.deepEqual(policyOf(pasted.scoring).decisive, proposal.policy.decisive);
  t.deepEqual(pasted.scoring.caps, proposal.policy.caps);
  t.deepEqual(pasted.scoring.weights, proposal.policy.weights);
  t.deepEqual(pasted.lists, { allow: ['b.example'], deny: ['a.example', 'c.example'] });
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: as in a configuration file
const FILE = '${file:/etc/passwd}';

for (const [field, value, says] of [
  ['levels-low', '', /levels\.low/],
  ['levels-low', '10', /low must be higher than medium/],
  ['levels-medium', '101', /levels\.medium/],
  ['levels-medium', '1e1', /levels\.medium/],
  ['weights-email', '-1', /weights\.email/],
  ['weights-email', FILE, /only the configuration file may name files/],
  ['caps-decisive', 'x'.repeat(40_000), /caps\.decisive/],
  ['caps-decisive', 'y'.repeat(100_000), /At most 200 lines/],
  ['points', 'tor_ip: 5\n'.repeat(201), /At most 200 lines/],
  ['decisive', 'tor_ipp', /did you mean "tor_ip"/],
  ['points', 'tor_ip', /not a code with its points/],
  ['points', 'tor_ip: 50\ntor_ip: 60', /occurs twice/],
  ['points', '__proto__: 5', /not a code with its points/],
  ['points', 'torip: 5', /did you mean "tor_ip"/],
  ['deny', 'not an entry', /deny/],
  ['deny', 'XK', /cannot be simulated on stored decisions/],
  ['allow', 'mail.acme.co.uk', /acme\.co\.uk/],
  ['deny', Array.from({ length: 201 }, (_, i) => `a${i}.de`).join('\n'), /At most 200/],
  ['days', '0', /from 1 to 30/],
  ['days', '31', /from 1 to 30/],
  ['days', 'NaN', /from 1 to 30/],
] as const) {
  test(`${field} of ${JSON.stringify(value.slice(0, 30))} is an error of its field`, (t) => {
    const issues = issuesOf({ [field]: value });
    t.deepEqual([...issues.keys()], [field]);
    t.regex(issues.get(field) ?? '', says);
    t.true((issues.get(field) ?? '').length < 1_500);
  });
}

test('weights that are all zero are an error of the weights', (t) => {
  const zero = {
    'weights-email': '0',
    'weights-ip_address': '0',
    'weights-velocity': '0',
    'weights-user_agent': '0',
  };
  t.regex(issuesOf(zero).get('weights-email') ?? '', /all weights are 0/);
});
