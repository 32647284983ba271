// Pictures of what the insights say: made when a snapshot is built, because drawing takes long.

type Sections = Readonly<Record<string, Uint8Array>>;

const PREFIX = 'picture ';

export function writePictures(pictures: Sections): Sections {
  return Object.fromEntries(
    Object.entries(pictures).map(([name, bytes]) => [`${PREFIX}${name}`, bytes]),
  );
}

/** A picture among the sections of a snapshot; null where it has none of that name. */
export function readPicture(sections: ReadonlyMap<string, unknown>, name: string): Buffer | null {
  const section = sections.get(`${PREFIX}${name}`) as Uint8Array | undefined;
  return section ? Buffer.from(section.buffer, section.byteOffset, section.length) : null;
}
