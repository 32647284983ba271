// Queries that run several times a second, also while nothing happens: building and compiling one takes longer
// than running it.

import type { Compilable } from 'kysely';
import type { Executor } from './engine.ts';

/** Stands for a number in a query that is compiled before the number is known. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Compiles a query that is run with different numbers; `build` must not calculate with them. */
export function compileOnce<Name extends string, Row>(
  executor: Executor,
  names: readonly Name[],
  build: (numbers: Readonly<Record<Name, number>>) => Compilable<Row>,
): (numbers: Readonly<Record<Name, number>>) => Promise<readonly Row[]> {
  // Kysely passes values on to the parameters of the compiled query as they are.
  const placeholders = names.map((name) => [name, new Placeholder(name)] as const);
  const compiled = build(
    Object.fromEntries(placeholders) as unknown as Record<Name, number>,
  ).compile();
  return async (numbers) => {
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? numbers[value.name as Name] : value,
    );
    return (await executor.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
