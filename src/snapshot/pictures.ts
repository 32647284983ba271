// Pictures of a snapshot: charts, drawn when it is built because drawing is slow, and the logo of the business.

import type { HeaderPicture, Logo } from '../model/business-pictures.ts';

type Sections = Readonly<Record<string, Uint8Array>>;

const PREFIX = 'picture ';
const LOGO = 'logo';
const ICON = 'icon';
const HEADER = 'header';

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

/** The pictures that a logo is stored as. */
export function writeLogo(logo: Logo | null): Sections {
  if (logo === null) return {};
  return { [LOGO]: logo.bytes, ...(logo.icon === null ? {} : { [ICON]: logo.icon }) };
}

/** The logo that this server publishes; null if there is none. */
export function readLogo(sections: ReadonlyMap<string, unknown>): Logo | null {
  const bytes = readPicture(sections, LOGO);
  return bytes && { bytes, icon: readPicture(sections, ICON) };
}

/** The picture that the top of the first page is stored as. */
export function writeHeader(header: HeaderPicture | null): Sections {
  return header === null ? {} : { [HEADER]: header.bytes };
}

/** The picture at the top of the first page; null without one of our own. */
export function readHeader(sections: ReadonlyMap<string, unknown>): HeaderPicture | null {
  const bytes = readPicture(sections, HEADER);
  return bytes && { bytes };
}
