// ajv (draft 2020-12, as the catalogs' `prefixItems` want it) with ajv-formats: `--coerce` for coerceTypes, `--coerce-array` for coerceTypes "array", `--defaults` for
// useDefaults. The handler receives the value that ajv checked and, where asked, changed in place.

import process from 'node:process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Refused, readJson, serve } from './protocol.mjs';

const given = (word) => process.argv.includes(word);
const coerceTypes = given('--coerce-array') ? 'array' : given('--coerce');

const ajv = new Ajv2020({ coerceTypes, useDefaults: given('--defaults'), strict: false, logger: false });
formats.default(ajv);

await serve((_name, parameters) => {
  const check = ajv.compile(parameters);
  return (text) => {
    // Arguments that are no object can be coerced in place only within something.
    const value = readJson(text);
    if (!check(value)) throw new Refused('invalid');
    return value;
  };
});
