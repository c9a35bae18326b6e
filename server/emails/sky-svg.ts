import type { SkyOf } from "../../shared/memory-sky.ts";
import { skyColours } from "../../shared/sky-colours.ts";
import { cloudsOf, hillsOf, lightOf, moonPath, starsOf } from "../../shared/sky-scene.ts";

/** A memory's own sky as an SVG picture of so many pixels, with the same stars, clouds and hills as in the web app. */
export function skySvg({ moment, stars, seed }: SkyOf, width: number, height: number): string {
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
