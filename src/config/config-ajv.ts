import { Ajv, type Options } from 'ajv';
import { FORMATS } from './formats.ts';

/**
 * The validator of the configuration's schema and of its parts, with their own keywords and formats. Each command reads
 * one document: checking and optimising the schema would cost more than the validation.
 */
export function openConfigAjv(code: Options['code'] = { optimize: false }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    messages: false,
    meta: false,
    validateSchema: false,
    code,
  });
  ajv.addVocabulary(['unit', 'secret', 'absent']);
  for (const [name, { accepts }] of Object.entries(FORMATS)) ajv.addFormat(name, accepts);
  return ajv;
}
