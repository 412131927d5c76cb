import { Ajv, type Options } from 'ajv';
import { FORMATS } from './formats.ts';

/** Each command reads one document. Checking and optimising the schema would cost more than the validation. */
const QUICK = { meta: false, validateSchema: false } as const;

/** The validator of the configuration's schema and of its parts, with their own keywords and formats. */
export function openConfigAjv(code: Options['code'] = { optimize: false }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    messages: false,
    ...QUICK,
    code,
  });
  ajv.addVocabulary(['unit', 'secret', 'absent']);
  for (const [name, { accepts }] of Object.entries(FORMATS)) ajv.addFormat(name, accepts);
  return ajv;
}
