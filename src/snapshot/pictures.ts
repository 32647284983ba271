// Charts, drawn when a snapshot is built because drawing is slow.

type Sections = Readonly<Record<string, Uint8Array>>;

const PREFIX = 'picture ';

export function writePictures(pictures: Sections): Sections {
  return Object.fromEntries(
    Object.entries(pictures).map(([name, bytes]) => [`${PREFIX}${name}`, bytes]),
  );
}

/** A picture from the sections of a snapshot; null if there is none with that name. */
export function readPicture(sections: ReadonlyMap<string, unknown>, name: string): Buffer | null {
  const section = sections.get(`${PREFIX}${name}`) as Uint8Array | undefined;
  return section ? Buffer.from(section.buffer, section.byteOffset, section.length) : null;
}
