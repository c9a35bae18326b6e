/** A drawn person in a picture. No real person is shown. */
export interface Figure {
  /** Centre and height of the face, as fractions of the picture's height. */
  x: number;
  y: number;
  size: number;
  skin: string;
  hair: { colour: string; style: "short" | "bald" | "bun" | "long" | "bob" };
  coat: string;
  /** The colour of the shirt under the coat. */
  shirt: string;
  cap?: string;
  glasses?: boolean;
  moustache?: boolean;
  scarf?: string;
  /** The horizontal turn of the face, from -1 to 1. */
  turn?: number;
}

/** Draws a figure down to the shoulders in flat colours: light from the left, and a face of few strokes. */
export function drawFigure(figure: Figure, height: number): string {
  const { x, y, size, skin, coat, shirt, scarf, turn = 0 } = figure;
  const scale = (height * size) / 100;
  // Coordinates are hundredths of the face's height, relative to its centre.
  return `<g transform="translate(${height * x} ${height * y}) scale(${scale})" stroke-linecap="round" stroke-linejoin="round">
    ${figure.hair.style === "long" ? hairBehind(figure) : ""}
    <path d="M-118 190C-116 112-74 82-30 70L30 70C74 82 116 112 118 190L124 420H-124Z" fill="${coat}"/>
    <path d="M-118 190C-116 112-74 82-30 70L-16 80C-52 110-72 190-74 420H-124Z" fill="#fff" opacity=".13"/>
    <path d="M-30 70L0 128L30 70L24 62H-24Z" fill="${shirt}"/>
    <path d="M-30 70L0 128L-10 190L-46 92ZM30 70L0 128L10 190L46 92Z" fill="#000" opacity=".16"/>
    <path d="M-21 28V66C-10 84 10 84 21 66V28Z" fill="${skin}"/>
    <path d="M-21 40C-8 62 10 60 21 44V66C10 84-10 84-21 66Z" fill="#3a1d12" opacity=".2"/>
    ${scarf ? `<path d="M-36 62C-14 84 16 84 38 62L46 82C18 108-18 108-44 84Z" fill="${scarf}"/><path d="M14 92L34 86L44 160L20 164Z" fill="${scarf}"/>` : ""}
    <ellipse cx="${-39 + turn * 4}" cy="4" rx="7" ry="11" fill="${skin}"/><ellipse cx="${39 + turn * 4}" cy="4" rx="7" ry="11" fill="${skin}"/>
    <path d="M-39-10C-40-48-20-58 0-58S40-48 39-10C38 24 22 52 0 52S-38 24-39-10Z" fill="${skin}"/>
    <path d="M10-57C34-52 40-36 39-10C38 24 22 52 0 52C22 34 28 2 22-24C20-40 16-50 10-57Z" fill="#5a2a18" opacity=".16"/>
    <g transform="translate(${turn * 8} 0)">${features(figure)}</g>
    ${hair(figure)}
  </g>`;
}

/** Draws eyes, nose and mouth, then glasses and moustache. */
function features({ hair: { colour }, glasses, moustache }: Figure): string {
  const line = `fill="none" stroke="#3b2318"`;
  return `<g fill="#d9705a" opacity=".26"><ellipse cx="-22" cy="16" rx="11" ry="8"/><ellipse cx="22" cy="16" rx="11" ry="8"/></g>
    <path d="M-24-5Q-17-12-10-5M10-5Q17-12 24-5" ${line} stroke-width="3.4"/>
    <path d="M-27-18Q-18-25-9-20M9-20Q18-25 27-18" fill="none" stroke="${colour}" stroke-width="4" opacity=".85"/>
    <path d="M-2-6Q-8 10-5 13Q0 16 5 12" ${line} stroke-width="2.6" opacity=".55"/>
    <path d="M-15 26Q0 38 15 26" ${line} stroke-width="3.2" opacity=".85"/>
    <path d="M-30 4l-6-3M30 4l6-3M-19 20Q-22 27-19 33M19 20Q22 27 19 33" ${line} stroke-width="1.6" opacity=".3"/>
    ${moustache ? `<path d="M0 17C-10 13-22 20-25 28C-15 30-6 27 0 23C6 27 15 30 25 28C22 20 10 13 0 17Z" fill="${colour}"/>` : ""}
    ${glasses ? `<g fill="#fff" fill-opacity=".14" stroke="#4a3a30" stroke-width="2.2"><circle cx="-17" cy="-5" r="13"/><circle cx="17" cy="-5" r="13"/><path d="M-4-6Q0-9 4-6M-30-7L-39-9M30-7L39-9" fill="none"/></g>` : ""}`;
}

const hairBehind = ({ hair: { colour } }: Figure) =>
  `<path d="M-44-16C-50-66 50-66 44-16L52 84C30 98-30 98-52 84Z" fill="${colour}"/>`;

function hair({ hair: { colour, style }, cap }: Figure): string {
  const sides = `<path d="M-41 0C-46-20-42-38-34-42L-33-18ZM41 0C46-20 42-38 34-42L33-18Z" fill="${colour}"/>`;
  const tops = {
    bald: sides,
    short: `<path d="M-41-4C-50-46-30-70 4-68C38-66 48-42 41-4C38-20 34-34 20-38C2-34-20-34-32-36C-37-28-39-16-41-4Z" fill="${colour}"/>`,
    bun: `<circle cx="4" cy="-70" r="17" fill="${colour}"/><path d="M-42 4C-52-44-28-66 2-65S50-44 42 4C40-18 30-38 4-44C-22-38-38-20-42 4Z" fill="${colour}"/>`,
    bob: `<path d="M-44 34C-56-44-30-68 2-67S56-44 44 34C36 30 36-14 22-36C0-26-22-28-30-32C-38-10-34 26-44 34Z" fill="${colour}"/>`,
    long: `<path d="M-44 20C-52-44-30-67 2-66S52-44 44 20C40-8 34-30 14-42C-6-28-32-24-38-10C-40 0-42 8-44 20Z" fill="${colour}"/>`,
  };
  const shine =
    style === "bald"
      ? ""
      : `<path d="M-30-46C-18-58 4-60 16-55" fill="none" stroke="#fff" stroke-width="4" opacity=".2"/>`;
  if (!cap) return tops[style] + shine;
  return `${sides}<path d="M-44-28C-50-62-22-80 6-77C38-74 52-52 44-30C20-42-18-42-44-28Z" fill="${cap}"/>
    <path d="M-46-26C-24-44 22-44 45-29C36-20-24-26-52-14C-56-18-52-24-46-26Z" fill="${cap}"/>
    <path d="M-46-26C-24-44 22-44 45-29C36-20-24-26-52-14C-56-18-52-24-46-26Z" fill="#000" opacity=".28"/>`;
}

/** The appearance of a family member, independent of the position. */
type Looks = Omit<Figure, "x" | "y" | "size" | "turn">;

const ARTHUR: Looks = {
  skin: "#e2b394",
  hair: { colour: "#e9e6e0", style: "bald" },
  coat: "#5d6b53",
  shirt: "#c9bfa8",
  cap: "#6d5a48",
  moustache: true,
  scarf: "#8f3f3a",
};
const RUTH: Looks = {
  skin: "#efc8ab",
  hair: { colour: "#a5683a", style: "bob" },
  coat: "#c9805a",
  shirt: "#fff3dc",
};
const DANIEL: Looks = {
  skin: "#e7bb9c",
  hair: { colour: "#6b6560", style: "short" },
  coat: "#3d5a73",
  shirt: "#f1ead9",
  glasses: true,
};
const EDIE: Looks = {
  skin: "#f2cdb2",
  hair: { colour: "#7a4a2a", style: "long" },
  coat: "#d9a441",
  shirt: "#f7efdf",
};
const TERESA: Looks = {
  skin: "#dcae8c",
  hair: { colour: "#d8d4cf", style: "bun" },
  coat: "#7a4d63",
  shirt: "#efe5d2",
  glasses: true,
};
const GIULIA: Looks = {
  skin: "#e0b08c",
  hair: { colour: "#2f2420", style: "long" },
  coat: "#4f7f7a",
  shirt: "#f5ecda",
};

const GRACE: Looks = {
  skin: "#8a5a3c",
  hair: { colour: "#cfcac4", style: "short" },
  coat: "#3f5f8a",
  shirt: "#f6e7c4",
  glasses: true,
  scarf: "#d9a441",
};
const JOSEPH: Looks = {
  skin: "#7a4d33",
  hair: { colour: "#2b2320", style: "short" },
  coat: "#7d6a4f",
  shirt: "#efe5d2",
};
const RENATO: Looks = {
  skin: "#d8a684",
  hair: { colour: "#bdb7b0", style: "bald" },
  coat: "#2f5d73",
  shirt: "#e9dcc2",
  cap: "#34404f",
};
const CHIARA: Looks = {
  skin: "#ecc3a3",
  hair: { colour: "#5a3826", style: "bun" },
  coat: "#f3ede2",
  shirt: "#fffaf0",
};
const MATTEO: Looks = {
  skin: "#dcaa86",
  hair: { colour: "#2a211d", style: "short" },
  coat: "#39465c",
  shirt: "#fbf6ea",
  moustache: true,
};

/** The appearances of all people in the pictures. */
export const looks = { ARTHUR, RUTH, DANIEL, EDIE, TERESA, GIULIA, GRACE, JOSEPH, RENATO, CHIARA, MATTEO };
