import { formatYaml } from '../../config/format-yaml.ts';

export interface Answers {
  readonly listen: string;
  readonly upstream: string;
  readonly path: string;
  readonly emailField: string;
  /** Whether the path has other forms too, whose requests have no email. */
  readonly sharesPath: boolean;
}

/** A first `gatekeeper.yaml` for a dry run, with the settings that people change next as comments. */
export function writeConfig({ listen, upstream, path, emailField, sharesPath }: Answers): string {
  const condition = sharesPath
    ? `      when: {${JSON.stringify(emailField)}: {exists: true}}    # the path has other forms too, such as the login\n`
    : '';
  return `# Gatekeeper in front of an app. Every setting: docs/configuration.md. Check this file: gatekeeper check
# preset: saas                  # or shop, forum, strict, private: see docs/presets.md
proxy:
  listen: ${scalar(listen)}        # send visitors here; 0.0.0.0:8000 for visitors from elsewhere
  upstream: ${scalar(upstream)}    # the app
  # public_url: https://app.example   # where visitors reach the gate: needed for links in mails
  # trusted_proxies: [10.0.0.0/8]     # when a load balancer is in front of Gatekeeper
  routes:
    - path: ${scalar(path)}
${condition}      email: ${scalar(emailField)}           # the field of the form that holds the email
      mode: monitor              # a dry run: judges, logs and marks, and always forwards; next: enforce
# mail:
#   smtp: smtp://USER:PASSWORD@HOST:587   # for verification mails, before mode: enforce
`;
}

function scalar(text: string): string {
  return formatYaml(text).trimEnd();
}
