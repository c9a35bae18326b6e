import sharp from "sharp";
import { drawFigure, type Figure } from "./people.ts";
import { type Place, places, type Ridge } from "./places.ts";
import { type Hour, skies } from "./skies.ts";

/** The parameters of a picture. The same seed yields the same picture. */
export interface Landscape {
  seed: number;
  hour: Hour;
  place: Place;
  /** The people in the picture, the farthest first. */
  people?: Figure[];
  /** Pixels. */
  width: number;
  height: number;
  /** The time in the camera's metadata, e.g. `2019-06-02 17:45`. */
  takenAt: string;
}

/** Draws a landscape as a JPEG file with a camera's metadata. */
export async function paintLandscape(landscape: Landscape): Promise<Buffer> {
  const { width, height, takenAt } = landscape;
  const painted = await sharp(Buffer.from(drawing(landscape)))
    .composite([{ input: await grain(width, height), blend: "soft-light" }])
    .removeAlpha()
    .toBuffer();
  return sharp(painted)
    .withExif({ IFD0: { Software: "Skies demonstration" }, IFD2: { DateTimeOriginal: exifTime(takenAt) } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

const exifTime = (time: string) => `${time.replaceAll("-", ":")}:00`;

const grain = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 9 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();

function drawing({ seed, hour, place, people = [], width, height }: Landscape): string {
  const random = seededRandom(seed);
  const sky = skies[hour];
  const scene = places[place];
  const horizon = height * scene.horizon;
  const sun = { x: width * (0.2 + random() * 0.6), y: horizon - height * sky.sun.height, r: height * sky.sun.size };
  const ridges = scene.ridges.map((ridge, index) =>
    drawRidge(ridge, {
      width,
      height,
      random,
      colour: sky.land(index / Math.max(1, scene.ridges.length - 1)),
      floor: scene.water ? horizon : height,
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1">${stops(sky.stops)}</linearGradient>
      <linearGradient id="water" x2="0" y2="1">${stops([...sky.stops].reverse())}</linearGradient>
      <linearGradient id="mist" x2="0" y2="1">
        <stop stop-color="${sky.mist}" stop-opacity="0"/><stop offset=".55" stop-color="${sky.mist}" stop-opacity=".55"/>
        <stop offset="1" stop-color="${sky.mist}" stop-opacity="0"/>
      </linearGradient>
      <radialGradient id="glow"><stop stop-color="${sky.sun.colour}" stop-opacity=".6"/>
        <stop offset=".22" stop-color="${sky.sun.colour}" stop-opacity=".22"/>
        <stop offset=".55" stop-color="${sky.sun.colour}" stop-opacity=".06"/>
        <stop offset="1" stop-color="${sky.sun.colour}" stop-opacity="0"/></radialGradient>
      <radialGradient id="edges" r=".78"><stop offset=".62" stop-opacity="0"/><stop offset="1" stop-opacity=".32"/></radialGradient>
      <filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${height / 90}"/></filter>
      <filter id="brush"><feTurbulence type="fractalNoise" baseFrequency="${18 / height}" numOctaves="1" seed="${seed}"/>
        <feDisplacementMap in="SourceGraphic" scale="${height / 110}" xChannelSelector="R" yChannelSelector="G"/></filter>
      <filter id="clouds" x="0" y="0" width="100%" height="100%">
        <feTurbulence type="fractalNoise" baseFrequency="${3.2 / width} ${11 / height}" numOctaves="5" seed="${seed}"/>
        <feColorMatrix values="0 0 0 0 1  0 0 0 0 .97  0 0 0 0 .94  0 0 0 ${sky.clouds} ${-sky.clouds * 0.46}"/>
      </filter>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${stars(sky.stars, { width, horizon, random })}
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r * 9}" fill="url(#glow)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${sky.sun.colour}" filter="url(#soft)"/>
    <rect width="${width}" height="${horizon}" filter="url(#clouds)" opacity="${sky.clouds > 0 ? 0.55 : 0}"/>
    ${ridges.join(`<rect y="${horizon - height * 0.1}" width="${width}" height="${height * 0.26}" fill="url(#mist)"/>`)}
    ${scene.water ? drawWater({ width, height, horizon, sunX: sun.x, colour: sky.sun.colour, random, shore: ridges.join("") }) : ""}
    ${scene.flowers ? drawFlowers({ width, height, random }) : ""}
    ${people.length > 0 ? `<g filter="url(#brush)">${people.map((one) => drawFigure(one, height)).join("")}</g>` : ""}
    <rect width="${width}" height="${height}" fill="url(#edges)"/>
  </svg>`;
}

const stops = (colours: string[]) =>
  colours.map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`).join("");

interface Ground {
  width: number;
  height: number;
  random: () => number;
  colour: string;
  /** The lower edge of the land: the bottom of the picture, or the water. */
  floor: number;
}

/** Draws a line of hills: a few long waves with shorter waves on top. */
function drawRidge(ridge: Ridge, { width, height, random, colour, floor }: Ground): string {
  const waves = Array.from({ length: 7 }, (_, octave) => ({
    length: width / (0.7 + random() * 0.6) / 1.9 ** octave,
    height: (height * ridge.rise) / ridge.smoothness ** octave,
    shift: random() * Math.PI * 2,
  }));
  const top = (x: number) =>
    height * ridge.at -
    waves.reduce((sum, wave) => sum + Math.sin((x / wave.length) * 6.28 + wave.shift) * wave.height, 0);
  const steps = Array.from({ length: Math.ceil(width / 6) + 1 }, (_, step) => step * 6);
  const line = steps.map((x) => `${x} ${top(x).toFixed(1)}`).join("L");
  const trees = steps
    .filter(() => random() < ridge.trees)
    .map((x) => drawTree(x, top(x), height * (0.012 + random() * 0.03) * (0.4 + ridge.at), random));
  return `<g fill="${colour}"><path d="M${line}V${floor}H0Z"/>${trees.join("")}</g>`;
}

const drawTree = (x: number, y: number, size: number, random: () => number) =>
  random() < 0.6
    ? `<path d="M${x} ${y - size * 2.2}L${x + size * 0.5} ${y + 4}H${x - size * 0.5}Z"/>`
    : `<ellipse cx="${x}" cy="${y - size * 0.6}" rx="${size * 0.62}" ry="${size * 0.8}"/>`;

function stars(count: number, { width, horizon, random }: { width: number; horizon: number; random: () => number }) {
  const one = () =>
    `<circle cx="${random() * width}" cy="${random() * horizon}" r="${0.5 + random() * 1.6}" opacity="${0.3 + random() * 0.7}"/>`;
  return `<g fill="#fff">${Array.from({ length: count }, one).join("")}</g>`;
}

/** Draws flowers in the grass: many small ones far away, and a few large ones in front. */
function drawFlowers({ width, height, random }: { width: number; height: number; random: () => number }): string {
  const flower = () => {
    const near = random();
    const colour = ["#f6e7c6", "#f3c7c0", "#e8d98f", "#cfc4e6"][Math.floor(random() * 4)];
    const y = height * (0.79 + near * 0.2);
    return `<circle cx="${random() * width}" cy="${y}" r="${height * (0.001 + near * 0.004)}" fill="${colour}" opacity="${0.35 + near * 0.4}"/>`;
  };
  return Array.from({ length: 420 }, flower).join("");
}

interface Water {
  width: number;
  height: number;
  horizon: number;
  sunX: number;
  colour: string;
  random: () => number;
  /** The land behind the water, which the water reflects. */
  shore: string;
}

/** Draws still water: the reflected sky and shore, and glints of the sun. */
function drawWater({ width, height, horizon, sunX, colour, random, shore }: Water): string {
  const depth = height - horizon;
  const glint = () => {
    const near = random() ** 1.5;
    const length = width * (0.015 + near * 0.07) * (0.4 + random());
    const x = sunX + (random() - 0.5) * width * (0.06 + near * 0.3) - length / 2;
    return `<rect x="${x}" y="${horizon + near * depth}" width="${length}" height="${1 + near * 4}" rx="2" opacity="${0.15 + random() * 0.4}"/>`;
  };
  return `<clipPath id="surface"><rect y="${horizon}" width="${width}" height="${depth}"/></clipPath>
    <rect y="${horizon}" width="${width}" height="${depth}" fill="url(#water)"/>
    <g clip-path="url(#surface)" opacity=".5"><g transform="translate(0 ${horizon * 2}) scale(1 -1)">${shore}</g></g>
    <rect y="${horizon}" width="${width}" height="${depth}" fill="#0b2230" opacity=".22"/>
    <g fill="${colour}">${Array.from({ length: 150 }, glint).join("")}</g>`;
}

/** Returns a pseudo-random generator of numbers from 0 to 1. The same seed yields the same numbers. */
function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    // The 32-bit linear congruential generator of Numerical Recipes. Its high bits are random enough for drawing.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 4) / 2 ** 28;
  };
}
