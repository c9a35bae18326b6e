import { expect, test } from "vitest";
import { regionsXmp } from "../../downloads/regions-xmp.ts";
import { namedRegions } from "./regions.ts";

const UPRIGHT = { orientation: 1, width: 4000, height: 3000 };
const region = (name: string, x: number, y: number, type = "Face") =>
  `<rdf:li><rdf:Description mwg-rs:Name="${name}" mwg-rs:Type="${type}"><mwg-rs:Area stArea:x="${x}" stArea:y="${y}" stArea:w="0.1" stArea:h="0.1" stArea:unit="normalized"/></rdf:Description></rdf:li>`;
const regions = (width: number, height: number, ...items: string[]) =>
  `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions stDim:w="${width}" stDim:h="${height}" stDim:unit="pixel"/>
   <mwg-rs:RegionList><rdf:Bag>${items.join("\n")}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>`;

test("regions as Picasa and Lightroom write them, with names as people type them", () => {
  const xmp = regions(
    4000,
    3000,
    region("Aunt  May", 0.25, 0.5),
    region("O&apos;Neill &amp; &#x5a;oe", 0.75, 0.4),
    region("Rex", 0.1, 0.1, "Pet"),
    region("", 0.5, 0.5),
    region("x".repeat(201), 0.5, 0.5),
  );
  expect(namedRegions(xmp, UPRIGHT)).toEqual([
    { name: "Aunt May", x: 0.25, y: 0.5 },
    { name: "O'Neill & Zoe", x: 0.75, y: 0.4 },
  ]);
});

test("regions as digiKam writes them, in elements instead of attributes", () => {
  const xmp = `<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
    <rdf:li rdf:parseType="Resource"><mwg-rs:Area rdf:parseType="Resource"><stArea:x>0.3</stArea:x><stArea:y>0.6</stArea:y>
      <stArea:w>0.1</stArea:w><stArea:h>0.1</stArea:h><stArea:unit>normalized</stArea:unit></mwg-rs:Area>
      <mwg-rs:Name>Nonna Lucia</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>`;
  expect(namedRegions(xmp, UPRIGHT)).toEqual([{ name: "Nonna Lucia", x: 0.3, y: 0.6 }]);
});

test("regions of Microsoft's programs, and people without a region", () => {
  const xmp = `<MP:RegionInfo><rdf:Description><MPRI:Regions><rdf:Bag><rdf:li MPReg:Rectangle="0.2, 0.3, 0.2, 0.4" MPReg:PersonDisplayName="Ben"/>
    </rdf:Bag></MPRI:Regions></rdf:Description></MP:RegionInfo>
    <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Ben</rdf:li><rdf:li>Ida</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>`;
  expect(namedRegions(xmp, UPRIGHT)).toEqual([
    { name: "Ben", x: 0.3, y: 0.5 },
    { name: "Ida", x: null, y: null },
  ]);
});

test.each([
  [3, 0.75, 0.6],
  [6, 0.6, 0.25],
  [8, 0.4, 0.75],
])("a point of a picture that is stored with the orientation %i is turned with it", (orientation, x, y) => {
  const xmp = regions(4000, 3000, region("Ada", 0.25, 0.4));
  expect(namedRegions(xmp, { orientation, width: 4000, height: 3000 })).toEqual([{ name: "Ada", x, y }]);
});

test("a point on the upright picture, as its dimensions say, is not turned again", () => {
  const xmp = regions(3000, 4000, region("Ada", 0.25, 0.4));
  expect(namedRegions(xmp, { orientation: 6, width: 4000, height: 3000 })).toEqual([{ name: "Ada", x: 0.25, y: 0.4 }]);
});

test("a point outside is none, and broken XMP brings nothing", () => {
  expect(namedRegions(regions(4, 3, region("Ada", 1.5, 0.4)), UPRIGHT)).toEqual([{ name: "Ada", x: null, y: null }]);
  for (const broken of ["", "<mwg-rs:RegionList", "<mwg-rs:RegionList><rdf:li", regions(0, 0, "<rdf:li mwg-rs:Name='")])
    expect(namedRegions(broken, UPRIGHT)).toEqual([]);
});

test("the file beside an exported photo brings the same names back", () => {
  const names = [
    { name: 'Ada "Mimi" & <Bob>', x: 0.25, y: 0.5 },
    { name: "Zoë", x: 0, y: 1 },
    { name: "Rosa", x: null, y: null },
  ];
  expect(namedRegions(regionsXmp({ names, width: 4000, height: 3000 }), UPRIGHT)).toEqual(names);
});
