import type { Item, ItemName } from "./contents.ts";

/** The size of a region around a point. Only its middle has a meaning, but programs show no region without a size. */
const REGION = 0.1;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
const sizeAt = (middle: number) => Math.max(0.001, Math.min(REGION, 2 * middle, 2 * (1 - middle)));
const number = (value: number) => String(Math.round(value * 10_000) / 10_000);

/**
 * The names of people on a photo as an XMP file beside it: the IPTC's list of people shown, and a region of the Metadata Working
 * Group for each with a point, on the upright picture.
 */
export function regionsXmp({ names, width, height }: Pick<Item, "names" | "width" | "height">): string {
  const regions = names.flatMap(({ name, x, y }) =>
    x === null || y === null
      ? []
      : `     <rdf:li>
      <rdf:Description mwg-rs:Name="${escaped(name)}" mwg-rs:Type="Face">
       <mwg-rs:Area stArea:x="${number(x)}" stArea:y="${number(y)}" stArea:w="${number(sizeAt(x))}" stArea:h="${number(sizeAt(y))}" stArea:unit="normalized"/>
      </rdf:Description>
     </rdf:li>`,
  );
  const list =
    regions.length === 0
      ? ""
      : `
   <mwg-rs:Regions rdf:parseType="Resource">
    <mwg-rs:AppliedToDimensions stDim:w="${width ?? 0}" stDim:h="${height ?? 0}" stDim:unit="pixel"/>
    <mwg-rs:RegionList><rdf:Bag>
${regions.join("\n")}
    </rdf:Bag></mwg-rs:RegionList>
   </mwg-rs:Regions>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
    xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
    xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
   <Iptc4xmpExt:PersonInImage><rdf:Bag>
${names.map(({ name }: ItemName) => `    <rdf:li>${escaped(name)}</rdf:li>`).join("\n")}
   </rdf:Bag></Iptc4xmpExt:PersonInImage>${list}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`;
}
