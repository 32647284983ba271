// The part of the package `negotiator` that we call; its published types are of an older release.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string>> });
    /** Those of `available` that the client accepts, best first, and in their order among equals. */
    mediaTypes(available: string[]): string[];
    /** Those of `available` that the client accepts, best first; `preferred` breaks ties. */
    encodings(available: string[], options: { preferred: string[] }): string[];
  }
}
