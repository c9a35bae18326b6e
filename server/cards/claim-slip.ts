import { groupedCode } from "../../shared/card.ts";
import type { Mark } from "./card-face.ts";
import { pagePdf } from "./card-files.ts";
import { groupedSecret } from "./claim-secret.ts";
import { outline } from "./outlines.ts";

/** In millimetres: as large as a card lying on its side, so that both go into one envelope. */
const SLIP = { width: 86, height: 54 } as const;
const MARGIN = 7;

const WORDS = {
  en: {
    title: "Activate your card",
    lines: ["Scan the card, or open the address below.", "Enter this activation code and choose a memory."],
    card: "Card",
    keep: "Anyone with the card and slip can activate it. Keep it safe.",
  },
  it: {
    title: "Attiva la tua carta",
    lines: ["Inquadra la carta o apri l’indirizzo qui sotto.", "Poi inserisci questo codice di attivazione."],
    card: "Carta",
    keep: "Chi ha la carta e questo biglietto può attivarla. Conservalo bene.",
  },
};

/** What lies in a card's pack: the secret that claims it, as a page to be printed and not kept. */
export function claimSlip(card: {
  code: string;
  language: "en" | "it";
  link: string;
  secret: string;
}): Promise<Uint8Array> {
  const words = WORDS[card.language];
  const marks: Mark[] = [
    line(words.title, 6, 13),
    ...words.lines.map((text, at) => line(text, 3.1, 20 + at * 4.4)),
    line(groupedSecret(card.secret), 7.5, 34.5),
    line(card.link.toLowerCase(), 2.9, 41.5),
    line(`${words.card} ${groupedCode(card.code)}`, 2.9, 45.5),
    line(words.keep, 2.5, 50),
  ];
  return pagePdf(SLIP, marks, `Skies ${card.code}`);
}

function line(text: string, size: number, y: number): Mark {
  const whole = outline(text, size);
  const room = SLIP.width - 2 * MARGIN;
  return { path: whole.path, x: MARGIN, y, scale: Math.min(1, room / whole.width) };
}
