import { createHash } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { type MemoryDays, type SkyOf, skyOf } from "../../shared/memory-sky.ts";
import { skyColours } from "../../shared/sky-colours.ts";
import { cloudsOf, hillsOf, lightOf, moonPath, starsOf } from "../../shared/sky-scene.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import type { Files } from "../files/files.ts";
import type { CopySize } from "../files/pictures/copies.ts";
import type { PictureKey } from "../files/pictures/renditions.ts";

/** In pixels: sharp on a phone, small in an email. */
const WIDTH = 600;
const HEIGHT = 380;

/** The size of link previews in pixels, which messengers recommend. */
const PREVIEW = { width: 1200, height: 630 };

/** The edge length in pixels of a memory's icon, which home screens show. */
const ICON = 192;

/** A person's picture in pixels, displayed at a third of it. */
const FACE = 96;

/** Makes the pictures of emails as JPEG files, and icons, with the permissions of the email's reader. */
export interface MemoryPictures {
  /** A memory's cover or its sky, as the reader sees it; undefined if they cannot see the memory. */
  seenBy(reader: Caller, memoryId: string): Promise<Buffer | undefined>;
  /** The picture of the memory that the first share link in `html` opens; undefined if the link needs a PIN. */
  openedBy(html: string, site: string): Promise<Buffer | undefined>;
  /** Like {@link seenBy}, in the size of link previews. */
  preview(reader: Caller, memoryId: string): Promise<Buffer | undefined>;
  /** Like {@link seenBy}, as a square PNG, because home screens accept no JPEG. */
  icon(reader: Caller, memoryId: string): Promise<Buffer | undefined>;
  /** A person's picture by its object, if the reader may see it. */
  face(object: string): Promise<Buffer | undefined>;
}

interface Row extends MemoryDays {
  id: string;
  created_at: string;
  cover_x: number;
  cover_y: number;
  /** The cover, or the poster of a cover video. */
  object: string | null;
}

// Read as the recipient: without access to the memory there is no row, and without access to the cover no object.
const READ = `
  select m.id, m.kind, m.birth_date, m.passing_date, m.event_date, to_json(m.created_at) #>> '{}' as created_at, m.cover_x, m.cover_y,
    (select o.id from media c join storage.objects o
       on case c.type when 'image' then o.id = c.id else o.bucket_id = 'posters' and o.name = c.poster_name end
     where c.memory_id = m.id and c.is_cover and c.moderation = 'shown' limit 1) as object
  from memories m where m.id = $1`;

export function memoryPictures({ db, files }: { db: Database; files: Files }): MemoryPictures {
  async function pictureFor(reader: Caller, memoryId: string, copied: CopySize, width: number, height: number) {
    const { rows } = await asCaller(db, reader, (tx) => tx.query<Row>(READ, [memoryId]));
    const [memory] = rows;
    const cover =
      memory?.object && (await shaped(memory.object, copied, [memory.cover_x, memory.cover_y], width, height));
    return memory && (cover || jpeg(sharp(Buffer.from(skySvg(skyOf(memory), width, height)))));
  }

  const seenBy: MemoryPictures["seenBy"] = (reader, memoryId) => pictureFor(reader, memoryId, 960, WIDTH, HEIGHT);

  /** Returns undefined for a missing or unreadable object, so that the email is sent without a picture. */
  async function shaped(object: string, copied: CopySize, focus: Point, width: number, height: number) {
    const { rows } = await db.query<PictureKey>(
      "select o.bucket_id as bucket, o.version, storage.edit_of(o) as edit from storage.objects o where o.id = $1",
      [object],
    );
    try {
      // A rendition is upright and contains no location and no device data.
      const copy = rows[0] && (await files.renditions.file(rows[0], copied));
      return copy && (await cropped(copy.path, focus, width, height));
    } catch {
      return undefined;
    }
  }

  return {
    seenBy,
    preview: (reader, memoryId) => pictureFor(reader, memoryId, 1600, PREVIEW.width, PREVIEW.height),
    async icon(reader, memoryId) {
      const square = await pictureFor(reader, memoryId, 960, ICON, ICON);
      return square && sharp(square).png({ palette: true }).toBuffer();
    },
    face: (object) => shaped(object, 320, [0.5, 0.5], FACE, FACE),
    async openedBy(html, site) {
      const links = new RegExp(`${escaped(site)}/shared/(\\w{22})(?:#invitation=([0-9a-f]{64}))?"`).exec(html);
      if (!links) return undefined;
      const [, shareId, token] = links;
      const { rows } = await db.query<{ id: string; version: number; memory_id: string }>(
        `select l.id, l.version, l.memory_id from share_links l where l.share_id = $1 and l.memory_id is not null
           and case when l.invitation_id is null then l.asks is null else private.is_invited(l.id, $2) end`,
        [
          shareId,
          createHash("sha256")
            .update(token ?? "")
            .digest("hex"),
        ],
      );
      const [link] = rows;
      if (!link) return undefined;
      const share = { link: link.id, version: link.version };
      return seenBy({ role: "anon", aud: "anon", share }, link.memory_id);
    },
  };
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Relative coordinates from the top left, each from 0 to 1. */
type Point = readonly [x: number, y: number];

/** Crops the picture to this shape around its focal point, as the web app does. */
async function cropped(path: string, [x, y]: Point, width: number, height: number): Promise<Buffer> {
  const whole = await sharp(path).metadata();
  const scale = Math.max(width / whole.width, height / whole.height);
  const size = {
    width: Math.max(width, Math.round(whole.width * scale)),
    height: Math.max(height, Math.round(whole.height * scale)),
  };
  return jpeg(
    sharp(path)
      .resize({ ...size, fit: "fill" })
      .extract({
        left: Math.round((size.width - width) * x),
        top: Math.round((size.height - height) * y),
        width,
        height,
      }),
  );
}

const jpeg = (picture: Sharp) =>
  picture.flatten({ background: "#fffdf9" }).jpeg({ quality: 72, mozjpeg: true }).toBuffer();

/** A memory's sky as SVG, with the same stars, clouds and hills as in the web app. */
function skySvg({ moment, stars, seed }: SkyOf, width: number, height: number): string {
  const { bands, glow, cloud, hills, darkness } = skyColours(moment);
  const light = lightOf(moment);
  const sun = light.kind === "sun";
  const x = (percent: number) => (percent * width) / 100;
  const y = (percent: number) => (percent * height) / 100;
  const stop = (offset: number, colour: string, opacity = 1) =>
    `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`;
  const ranges = [
    hillsOf(`${seed} far`, 150, 46),
    hillsOf(`${seed} middle`, 225, 52),
    hillsOf(`${seed} near`, 310, 44),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs>
<linearGradient id="air" x1="0" y1="0" x2="0" y2="1">${bands.map((band, i) => stop([0, 0.34, 0.62, 0.84][i] ?? 1, band)).join("")}</linearGradient>
<radialGradient id="glow">${stop(0, glow, sun ? 0.95 : 0.5)}${stop(0.22, glow, sun ? 0.5 : 0.2)}${stop(0.55, glow, sun ? 0.16 : 0.06)}${stop(1, glow, 0)}</radialGradient>
<radialGradient id="puff">${stop(0, cloud)}${stop(0.5, cloud, 0.6)}${stop(1, cloud, 0)}</radialGradient>
${hills.map((hill, i) => `<linearGradient id="hill${i}" x1="0" y1="0" x2="0" y2="1">${stop(0, hill)}${stop(1, i < 2 ? bands[3] : hill, i < 2 ? 0.85 : 1)}</linearGradient>`).join("")}
</defs>
<rect width="${width}" height="${height}" fill="url(#air)"/>
${starsOf(seed, stars)
  .map((star) => {
    const opacity = star.brightness * Math.max(0.8, darkness);
    return `<circle cx="${x(star.x)}" cy="${y(star.y)}" r="${star.radius}" fill="#fff8e8" opacity="${opacity}"/>`;
  })
  .join("")}
<circle cx="${x(light.x)}" cy="${y(light.y)}" r="${width * (sun ? 0.3 : 0.14)}" fill="url(#glow)"/>
<g transform="translate(${x(light.x)} ${y(light.y)}) scale(${height / 32})">${
    sun
      ? `<circle r="1" fill="#fffbee" opacity="0.94"/>`
      : `<g transform="scale(0.8) rotate(-18)"><path d="${moonPath(light.phase)}" fill="#f6f2e0"/></g>`
  }</g>
${cloudsOf(seed, 5)
  .map(
    (puff) =>
      `<ellipse cx="${x(puff.x)}" cy="${y(puff.y)}" rx="${x(puff.width / 2)}" ry="${y(puff.height)}" fill="url(#puff)" opacity="${puff.opacity * (1 - darkness * 0.45)}"/>`,
  )
  .join("")}
<g transform="translate(0 ${height * 0.58}) scale(${width / 1600} ${(height * 0.42) / 400})">${ranges
    .map((path, i) => `<path d="${path}" fill="url(#hill${i})"/>`)
    .join("")}</g>
</svg>`;
}
