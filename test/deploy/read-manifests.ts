import { deployFiles, readDeployYaml } from './read-deploy.ts';

export const manifests = deployFiles('kubernetes', '.yaml').filter(
  (path) => !path.endsWith('/kustomization.yaml'),
);

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly env?: readonly {
      readonly name: string;
      readonly valueFrom: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
    }[];
    readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    readonly securityContext: object;
    readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    readonly [probe: `${string}Probe`]: {
      readonly httpGet: { readonly path: string; readonly port: string };
    };
  }[];
  readonly volumes: readonly { readonly name: string }[];
}

export const podOf = (path: string) =>
  readDeployYaml<{ readonly spec: { readonly template: { readonly spec: PodSpec } } }>(path).spec.template
    .spec;

export interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly command?: unknown;
        readonly read_only?: boolean;
        readonly volumes?: readonly string[];
        readonly secrets?: readonly string[];
        readonly depends_on?: object;
      }
    >
  >;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
