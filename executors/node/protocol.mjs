// The executor protocol in JavaScript: calls in as JSON lines, what the handler received out. docs/EXECUTORS.md
// defines both; python/protocol.py is the same in Python.

import { createInterface } from 'node:readline';
import process from 'node:process';

// A Date without a zone is read in the machine's: the same one everywhere.
process.env.TZ = 'UTC';

// Tools kept built; a stream with more schemas than this builds the rest anew.
const KEPT = 4096;

// The executor does not hand the call to its handler. The text is a word, never a value.
export class Refused extends Error {}

// What a handler received, with its types, as a JSON value. A member whose value is undefined is not there.
export function dump(value) {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return { float: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { int: String(value) };
  }
  if (Array.isArray(value)) return value.map(dump);
  if (value instanceof Date) return { datetime: Number.isNaN(+value) ? 'invalid' : value.toISOString() };
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return { object: Object.fromEntries(entries.map(([name, item]) => [name, dump(item)])) };
}

// The arguments as a harness in JavaScript reads them: JSON.parse.
export function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('no JSON');
  }
}

// The arguments where the next step takes an object or nothing.
export function readObject(text) {
  const value = readJson(text);
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw new Refused('arguments are no object');
  }
  return value;
}

// Answers calls until the input ends. `build(name, parameters)` makes a tool, which may be asynchronous: a function
// from the argument text to what its handler received, which throws to refuse.
export async function serve(build) {
  const kept = new Map();
  let out = '';
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const call = JSON.parse(line);
    const name = call.registered_as ?? call.tool;
    let answer;
    try {
      if (name !== call.tool) throw new Refused('unknown tool');
      const parameters = call.parameters ?? {};
      const key = JSON.stringify([name, parameters]);
      let tool = kept.get(key);
      if (tool === undefined) {
        try {
          tool = await build(name, parameters);
        } catch (error) {
          // A schema that the package cannot take: every call is refused.
          tool = () => {
            throw new Refused(`schema: ${error.name}`);
          };
        }
        if (kept.size < KEPT) kept.set(key, tool);
      }
      answer = { received: dump(await tool(call.arguments ?? '')) };
    } catch (error) {
      // Whatever the package throws is its refusal.
      answer = { refused: error instanceof Refused ? error.message : error.name };
    }
    out += JSON.stringify(answer) + '\n';
    if (out.length > 1 << 16) {
      if (!process.stdout.write(out)) await new Promise((go) => process.stdout.once('drain', go));
      out = '';
    }
  }
  process.stdout.write(out);
}
