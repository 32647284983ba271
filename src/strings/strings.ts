// The type that the strings of every language have, so that the compiler finds a missing one.

import type { en } from './en.ts';

export type Strings = Texts<ReturnType<typeof en>>;

/** The same members and parameters, with any texts. */
type Texts<T> = T extends (...values: infer Values) => string
  ? (...values: Values) => string
  : T extends string
    ? string
    : { readonly [Name in keyof T]: Texts<T[Name]> };

/** Strings, lists and functions that return strings, nested. */
type Tree = string | Leaf | readonly Tree[] | { readonly [name: string]: Tree };
type Leaf = (...values: never[]) => string;

/** Changes every text, those of functions included. */
export function mapStrings<T>(strings: T, change: (text: string) => string): T {
  return mapTree(strings as Tree, change) as T;
}

function mapTree(tree: Tree, change: (text: string) => string): Tree {
  if (typeof tree === 'string') return change(tree);
  if (typeof tree === 'function') return (...values: never[]) => change(tree(...values));
  if (Array.isArray(tree)) return tree.map((one: Tree) => mapTree(one, change));
  const members = Object.entries(tree as { readonly [name: string]: Tree });
  return Object.fromEntries(members.map(([name, member]) => [name, mapTree(member, change)]));
}
