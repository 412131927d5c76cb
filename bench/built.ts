import { fileURLToPath } from 'node:url';

/** Modules from `npm run build`: the benchmark measures the shipped code. The types are those of the sources. */
export async function importBuilt() {
  const [ipAddress, emailAddress, attempt, identity, judge, jsonBody, signupFields, matchRoutes] =
    await Promise.all([
      load<typeof import('../src/addresses/ip-address.ts')>('addresses/ip-address.js'),
      load<typeof import('../src/addresses/email-address.ts')>('addresses/email-address.js'),
      load<typeof import('../src/assessment/attempt.ts')>('assessment/attempt.js'),
      load<typeof import('../src/assessment/identity.ts')>('assessment/identity.js'),
      load<typeof import('../src/configured-judge.ts')>('configured-judge.js'),
      load<typeof import('../src/http/json-body.ts')>('http/json-body.js'),
      load<typeof import('../src/api/signup-fields.ts')>('api/signup-fields.js'),
      load<typeof import('../src/gate/routes/match-routes.ts')>('gate/routes/match-routes.js'),
    ]);
  const [email, models, network, velocity, device, counters, redis, datasets, config] = await Promise.all([
    load<typeof import('../src/processors/email/email-processor.ts')>('processors/email/email-processor.js'),
    load<typeof import('../src/processors/email/email-models.ts')>('processors/email/email-models.js'),
    load<typeof import('../src/processors/network/network-processor.ts')>(
      'processors/network/network-processor.js',
    ),
    load<typeof import('../src/processors/velocity/velocity-processor.ts')>(
      'processors/velocity/velocity-processor.js',
    ),
    load<typeof import('../src/processors/device/device-processor.ts')>(
      'processors/device/device-processor.js',
    ),
    load<typeof import('../src/counters/memory-counters.ts')>('counters/memory-counters.js'),
    load<typeof import('../src/counters/redis/open-redis-counters.ts')>(
      'counters/redis/open-redis-counters.js',
    ),
    load<typeof import('../src/datasets/open-datasets.ts')>('datasets/open-datasets.js'),
    load<typeof import('../src/cli/load-config.ts')>('cli/load-config.js'),
  ]);
  return {
    ...ipAddress,
    ...emailAddress,
    ...attempt,
    ...identity,
    ...judge,
    ...jsonBody,
    ...signupFields,
    ...matchRoutes,
    ...email,
    ...models,
    ...network,
    ...velocity,
    ...device,
    ...counters,
    ...redis,
    ...datasets,
    ...config,
    modelsFolder: fileURLToPath(new URL('../models/', import.meta.url)),
  };
}

export type Built = Awaited<ReturnType<typeof importBuilt>>;

/** The names are computed at run time, so that the compiler does not search for files that are not built yet. */
async function load<Module>(file: string): Promise<Module> {
  return (await import(new URL(`../dist/${file}`, import.meta.url).href)) as Module;
}
