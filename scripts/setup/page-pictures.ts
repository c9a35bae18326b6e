import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { outline } from "../../server/cards/outlines.ts";
import { publicCards } from "../../server/pages/page-cards.ts";
import { drawIcons } from "./icons.ts";

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 90];
/** Narrower than the picture, so that the second line has more than one word. */
const WIDEST = 870;
const [TITLE, LINE, NAME] = [84, 104, 44];

/** Breaks text into lines that fit. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (lines.length > 0 && outline(longer, TITLE).width <= WIDEST) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const textAt = (text: string, size: number, y: number) =>
  `<path fill="#fffdf9" transform="translate(${MARGIN} ${y})" d="${outline(text, size).path}"/>`;

/** Dusk over hills, dark behind the text. */
const SKY = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#16294a"/><stop offset=".4" stop-color="#4a6690"/><stop offset=".62" stop-color="#d59c86"/></linearGradient>
  <radialGradient id="glow"><stop stop-color="#ffe9c9"/><stop offset=".16" stop-color="#ffe1b5"/><stop offset=".18" stop-color="#ffd9a8" stop-opacity=".45"/><stop offset="1" stop-color="#ffd9a8" stop-opacity="0"/></radialGradient>
  <rect width="100%" height="100%" fill="url(#sky)"/>
  <circle cx="930" cy="270" r="210" fill="url(#glow)"/>
  <g fill="#fffdf9" opacity=".8"><circle cx="520" cy="70" r="2"/><circle cx="700" cy="120" r="1.5"/><circle cx="1090" cy="60" r="2"/><circle cx="380" cy="150" r="1.5"/><circle cx="830" cy="40" r="1.5"/></g>
  <path fill="#35566a" d="M0 340C200 280 340 330 520 320S820 250 960 280s180 50 240 30V630H0Z"/>
  <path fill="#1f3f4d" d="M0 400c180-50 380 10 600-20s420-50 600 0V630H0Z"/>
  <path fill="#132c37" d="M0 470c260-60 520 30 760-10s340-20 440 10V630H0Z"/>`;

/** Draws messengers' preview pictures of public pages into a built web app: the title on the sky, in both languages. */
const [folder = "."] = process.argv.slice(2);
for (const { file, title } of publicCards) {
  const lines = linesOf(title.replace(/^Skies · | · Skies$/g, ""));
  const first = HEIGHT - MARGIN - (lines.length - 1) * LINE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${SKY}
    ${textAt("Skies", NAME, MARGIN + NAME / 2)}${lines.map((line, at) => textAt(line, TITLE, first + at * LINE)).join("")}
  </svg>`;
  const target = join(folder, file);
  await mkdir(dirname(target), { recursive: true });
  await sharp(Buffer.from(svg)).jpeg({ quality: 80, mozjpeg: true }).toFile(target);
}
await drawIcons(folder);
