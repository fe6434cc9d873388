// zod schemas from a JSON Schema: the code whose own schema it is. With `coerce`, every scalar is `z.coerce`, a
// date-time a `z.coerce.date()`. Optional without a default is `.optional()`; undeclared members are dropped, as
// `z.object` does, unless `additionalProperties` is false.

import * as z from 'zod';

// Words of hand-written schemas that are no JSON Schema types.
const WILD = { dict: 'object', float: 'number', tuple: 'array', list: 'array', int: 'integer', str: 'string', bool: 'boolean' };

const FORMATS = {
  'date-time': () => z.iso.datetime({ offset: true, local: true }),
  date: () => z.iso.date(),
  time: () => z.string(),
  duration: () => z.iso.duration(),
  uuid: () => z.guid(),
  uri: () => z.url(),
  email: () => z.email(),
};

export class Schemas {
  constructor(root, coerce = false) {
    this.root = root;
    this.coerce = coerce;
    this.open = [];
  }

  // The members of the arguments as a whole, as a raw shape.
  shape(schema = this.root) {
    const required = schema.required ?? [];
    const shape = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      let field = this.of(property);
      const stated = this.resolved(property).default;
      if (stated !== undefined) field = field.default(stated);
      else if (!required.includes(name)) field = field.optional();
      shape[name] = field;
    }
    return shape;
  }

  object(schema = this.root) {
    const shape = this.shape(schema);
    const more = schema.additionalProperties;
    if (more === false) return z.strictObject(shape);
    if (more !== null && typeof more === 'object') return z.object(shape).catchall(this.of(more));
    return z.object(shape);
  }

  resolved(schema) {
    for (let seen = 0; schema?.$ref !== undefined && seen < 16; seen++) {
      let found = this.root;
      for (const part of schema.$ref.replace(/^#?\/?/, '').split('/')) found = found?.[part];
      const { $ref: _, ...rest } = schema;
      schema = { ...found, ...rest };
    }
    return schema ?? {};
  }

  of(schema) {
    if (schema === null || typeof schema !== 'object') return z.any();
    if (schema.$ref !== undefined) {
      // A schema that contains itself is open where it does.
      if (this.open.includes(schema.$ref)) return z.any();
      this.open.push(schema.$ref);
      const found = this.of(this.resolved(schema));
      this.open.pop();
      return found;
    }
    if ('const' in schema) return z.literal(schema.const);
    if (schema.enum) return z.literal(schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) return union(branches.map((branch) => this.of(branch)));
    if (Array.isArray(schema.type)) {
      const types = schema.type.filter((type) => type !== 'null');
      const found = union(types.map((type) => this.of({ ...schema, type })));
      return types.length < schema.type.length ? found.nullable() : found;
    }
    return this.typed(WILD[schema.type] ?? schema.type, schema);
  }

  typed(type, schema) {
    const make = this.coerce ? z.coerce : z;
    switch (type) {
      case 'string': {
        if (this.coerce && schema.format === 'date-time') return z.coerce.date();
        let found = FORMATS[schema.format]?.() ?? make.string();
        if (schema.minLength !== undefined) found = found.min(schema.minLength);
        if (schema.maxLength !== undefined) found = found.max(schema.maxLength);
        if (schema.pattern !== undefined) found = found.regex(new RegExp(schema.pattern, 'u'));
        return found;
      }
      case 'integer':
      case 'number': {
        let found = make.number();
        if (type === 'integer') found = found.int();
        if (schema.minimum !== undefined) found = found.min(schema.minimum);
        if (schema.maximum !== undefined) found = found.max(schema.maximum);
        if (schema.exclusiveMinimum !== undefined) found = found.gt(schema.exclusiveMinimum);
        if (schema.exclusiveMaximum !== undefined) found = found.lt(schema.exclusiveMaximum);
        if (schema.multipleOf !== undefined) found = found.multipleOf(schema.multipleOf);
        return found;
      }
      case 'boolean':
        return make.boolean();
      case 'null':
        return z.null();
      case 'array': {
        if (schema.prefixItems) return z.tuple(schema.prefixItems.map((item) => this.of(item)));
        let found = z.array(this.of(schema.items));
        if (schema.minItems !== undefined) found = found.min(schema.minItems);
        if (schema.maxItems !== undefined) found = found.max(schema.maxItems);
        return found;
      }
      case 'object':
        if (schema.properties && Object.keys(schema.properties).length > 0) return this.object(schema);
        return z.record(z.string(), this.of(schema.additionalProperties));
    }
    return z.any();
  }
}

function union(branches) {
  return branches.length === 1 ? branches[0] : z.union(branches);
}
