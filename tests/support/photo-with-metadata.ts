import ExifReader from "exifreader";
import sharp from "sharp";

/** Private texts in every metadata field of {@link photoWithMetadata}. */
export const SECRETS = ["SN-4711", "Ada Bianchi", "Lens-0815", "Corso Buenos Aires", "Bianchi Byline"];

/** A JPEG with place, camera and author in EXIF, XMP, IPTC, a comment and after its end. */
export async function photoWithMetadata(width = 1000, height = 700): Promise<Buffer> {
  const photo = await sharp({ create: { width, height, channels: 3, background: "teal" } })
    .withExif({
      IFD0: { Model: "Camera", Artist: "Ada Bianchi", Copyright: "Ada Bianchi" },
      IFD2: { BodySerialNumber: "SN-4711", LensSerialNumber: "Lens-0815", CameraOwnerName: "Ada Bianchi" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "45/1 28/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "9/1 12/1 0/1" },
    })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" Iptc4xmpCore:Location="Corso Buenos Aires"/></rdf:RDF></x:xmpmeta>`,
    )
    .jpeg()
    .toBuffer();
  return Buffer.concat([
    photo.subarray(0, 2),
    segment(0xed, iptc("Bianchi Byline")),
    segment(0xfe, Buffer.from("Ada Bianchi, SN-4711")),
    photo.subarray(2),
    Buffer.from("Corso Buenos Aires"),
  ]);
}

/** A JPEG segment with its marker and length. */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A Photoshop block with the author's name. */
function iptc(byline: string): Buffer {
  const record = Buffer.concat([Buffer.from([0x1c, 2, 80, 0, byline.length]), Buffer.from(byline)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(record.length);
  const padding = Buffer.alloc(record.length % 2);
  return Buffer.concat([Buffer.from("Photoshop 3.0\x008BIM\x04\x04\0\0", "latin1"), size, record, padding]);
}

/** The kinds of metadata in a picture, found by an independent reader. */
export async function metadataIn(picture: Buffer): Promise<string[]> {
  const groups = await ExifReader.load(picture, { expanded: true, async: true }).catch((error: Error) => {
    // A picture without metadata causes an error.
    if (error.message.includes("No Exif data") || error.name === "MetadataMissingError") return {};
    throw error;
  });
  // Groups that describe the format itself, e.g. its size.
  return Object.keys(groups).filter(
    (group) => !["file", "riff", "jfif", "png", "pngFile", "composite"].includes(group),
  );
}
