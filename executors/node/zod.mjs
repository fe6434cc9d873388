// zod, without coercion or (with `--coerce`) with `z.coerce` at every scalar.

import process from 'node:process';
import { readJson, serve } from './protocol.mjs';
import { Schemas } from './schema.mjs';

const coerce = process.argv.includes('--coerce');

await serve((_name, parameters) => {
  const schema = new Schemas(parameters, coerce).object();
  return (text) => schema.parse(readJson(text));
});
