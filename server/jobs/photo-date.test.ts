import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { DATED_PICTURES } from "../../tests/support/dated-pictures.ts";
import { photoDates } from "./photo-date.ts";

/** The first date in the order of the file's sources. */
const photoDate = async (photo: Buffer) => {
  const [date] = await photoDates(photo);
  return date ? { takenAt: date.at, source: date.source } : null;
};

const blank = () => sharp({ create: { width: 16, height: 12, channels: 3, background: "teal" } });
const xmp = (properties: string, elements = "") =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
     xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" ${properties}>${elements}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const ENCODINGS: [string, (picture: Sharp) => Sharp][] = [
  ["a JPEG", (picture) => picture.jpeg()],
  ["a PNG", (picture) => picture.png()],
  ["a WebP", (picture) => picture.webp()],
  ["an AVIF", (picture) => picture.avif({ effort: 0 })],
  ["a TIFF", (picture) => picture.tiff()],
];

// sharp writes no EXIF into a TIFF.
test.each(ENCODINGS.filter(([name]) => name !== "a TIFF"))("the EXIF date of %s is read", async (_name, encoded) => {
  const photo = blank().withExif({ IFD2: { DateTimeOriginal: "2019:05:04 23:59:58" } });
  const date = { takenAt: "2019-05-04T23:59:58", source: "exif" };
  expect(await photoDate(await encoded(photo).toBuffer())).toEqual(date);
});

describe.each(ENCODINGS)("%s", (_name, encoded) => {
  test.each([
    ['exif:DateTimeOriginal="2019-05-04T23:59:58+02:00"', "", "2019-05-04T23:59:58"],
    ["", "<exif:DateTimeOriginal>2019-05-04T23:59</exif:DateTimeOriginal>", "2019-05-04T23:59:00"],
    ['photoshop:DateCreated="1962-07-14"', "", "1962-07-14"],
    ['photoshop:DateCreated="1962-07"', "", "1962-07"],
    ['photoshop:DateCreated="1962" xmp:CreateDate="2024-07-14T16:05:09"', "", "1962"],
    ['xmp:CreateDate="2024-07-14T16:05:09"', "", "2024-07-14T16:05:09"],
  ])("has its date in XMP: %s%s", async (properties, elements, takenAt) => {
    const photo = await encoded(blank().withXmp(xmp(properties, elements))).toBuffer();
    expect(await photoDate(photo)).toEqual({ takenAt, source: "xmp" });
  });
});

test.each([
  ["IPTC with a time", { takenAt: "1987-05-04T10:11:12", source: "iptc" }],
  ["IPTC with a year", { takenAt: "1962", source: "iptc" }],
  ["PNG text", { takenAt: "1987-05-04T10:11:12", source: "png" }],
] as const)("a date that exiftool wrote is read: %s", async (name, date) => {
  expect(await photoDate(Buffer.from(DATED_PICTURES[name], "base64"))).toEqual(date);
});

test("a scan has the date of the photographed picture and not that of the scan", async () => {
  const scan = await blank()
    .withExif({ IFD2: { DateTimeDigitized: "2024:07:14 16:05:09" } })
    .withXmp(xmp('photoshop:DateCreated="1962"'))
    .jpeg()
    .toBuffer();
  expect(await photoDate(scan)).toEqual({ takenAt: "1962", source: "xmp" });
});

test("a photo without any tag, and bytes that are no photo, have no date", async () => {
  expect(await photoDate(await blank().jpeg().toBuffer())).toBeNull();
  expect(await photoDate(Buffer.from("not a photo"))).toBeNull();
});

test("all dates of a photo are read, with what each of them is", async () => {
  const photo = await blank()
    .withExif({
      IFD0: { DateTime: "2015:02:26 04:20:03" },
      IFD2: { DateTimeOriginal: "2013/07/12 16:54:27", DateTimeDigitized: "2013:07:13 10:00:00" },
      IFD3: {
        GPSDateStamp: "2013:07:12",
        GPSTimeStamp: "14/1 54/1 20/1",
        GPSLatitude: "45/1 27/1 0/1",
        GPSLatitudeRef: "N",
        GPSLongitude: "9/1 11/1 0/1",
        GPSLongitudeRef: "E",
      },
    })
    .withXmp(xmp('photoshop:DateCreated="2013-07-12T14:54:27Z"'))
    .jpeg()
    .toBuffer();
  expect(await photoDates(photo)).toEqual([
    { kind: "taken", source: "exif", at: "2013-07-12T16:54:27", local: true },
    { kind: "taken", source: "xmp", at: "2013-07-12T14:54:27", local: false },
    { kind: "digitized", source: "exif", at: "2013-07-13T10:00:00", local: true },
    { kind: "gps", source: "exif", at: "2013-07-12T16:54:20", local: true },
    { kind: "modified", source: "exif", at: "2015-02-26T04:20:03", local: true },
  ]);
});

test("the time of satellites without a place is in UTC", async () => {
  const exif = { IFD3: { GPSDateStamp: "2013:07:12", GPSTimeStamp: "14/1 54/1 20/1" } };
  const photo = await blank().withExif(exif).jpeg().toBuffer();
  expect(await photoDates(photo)).toEqual([{ kind: "gps", source: "exif", at: "2013-07-12T14:54:20", local: false }]);
});
