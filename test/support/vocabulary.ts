// The vocabulary of schema.org for the validator of the tests, read from the types of schema-dts, which are
// generated from the vocabulary.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** JSON-LD of all classes and of the properties of each. */
export function readVocabulary(): object {
  const folder = createRequire(import.meta.url).resolve('schema-dts/package.json');
  const types = readFileSync(folder.replace('package.json', 'dist/schema.d.ts'), 'utf8');
  const reference = (name: string) => ({ '@id': `schema:${name}` });
  const classes: object[] = [];
  const properties = new Map<string, object[]>();
  const parentsOf = (base: string) =>
    [...base.matchAll(/(\w+)Base\b/g)].map(([, name]) => reference(name!));
  const bodies = new Map<string, string>();
  const bases = /^interface (\w+)Base(?: extends ([^{]+))? \{([\s\S]*?)^\}/gm;
  for (const [, name = '', parents = '', body = ''] of types.matchAll(bases)) {
    bodies.set(name, body);
    classes.push({
      '@type': 'rdfs:Class',
      ...reference(name),
      'rdfs:subClassOf': parentsOf(parents),
    });
  }
  // A class without own properties is an alias of its parent.
  const leaves = /^(?:export )?interface (\w+)Leaf extends ([^{]+) \{/gm;
  for (const [, name = '', parents = ''] of types.matchAll(leaves)) {
    if (bodies.has(name)) continue;
    classes.push({
      '@type': 'rdfs:Class',
      ...reference(name),
      'rdfs:subClassOf': parentsOf(parents),
    });
  }
  for (const [name, body] of bodies) {
    for (const [, property = ''] of body.matchAll(/^ {4}"(\w+)"\?:/gm)) {
      properties.set(property, [...(properties.get(property) ?? []), reference(name)]);
    }
  }
  if (!properties.has('reviewBody')) throw new Error('the types of schema-dts have another form');
  const graph = [...properties].map(([name, domains]) => ({
    '@type': 'rdf:Property',
    ...reference(name),
    'schema:domainIncludes': domains,
  }));
  return { '@graph': [...classes, ...graph] };
}
