import "./metal-card.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Engraving } from "../../../shared/card.ts";
import { CARD, CARD_FACE } from "../../../shared/card-face.ts";
import { cardWords } from "../../../shared/card-words.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { qrOutlineQuery } from "../../lib/qr/qr.queries.ts";

interface MetalCardProps {
  engraving: Engraving;
  /** Placeholders for missing text. */
  example?: Pick<Engraving, "name" | "dates">;
  /** The target of its QR code. */
  link: string;
  /** Whether it turns with the pointer, unless the person prefers reduced motion. */
  turns?: boolean;
  className?: string;
}

/** A metal card as it will be engraved, with a code that can be scanned. */
export function MetalCard({ engraving, example, link, turns, className }: MetalCardProps) {
  const { t } = useTranslation("cards");
  const hydrated = useHydrated();
  const { data: code } = useQuery(qrOutlineQuery(link));
  useSerifReady();
  const { qr, horizon } = CARD_FACE;
  const said = [engraving.name, engraving.dates].filter(Boolean).join(", ");
  const blank = said === "" && example !== undefined;
  const texts = blank ? { ...engraving, ...example } : engraving;
  return (
    <div className={className}>
      <div className="metal-stage">
        <div
          className="metal-card"
          data-finish={engraving.finish}
          data-turns={turns || undefined}
          role="img"
          aria-label={said ? t("face.alt", { said }) : t("face.altBare")}
        >
          <svg viewBox={`0 0 ${CARD.width} ${CARD.height}`} fill="currentColor" aria-hidden>
            <path d={horizon.path} transform={`translate(${(CARD.width - horizon.width) / 2} ${horizon.y})`} />
            {cardWords(texts, hydrated ? measureSerif : roughly).map(({ text, y, size }) => (
              <text
                key={`${y}`}
                x={CARD.width / 2}
                y={y}
                fontSize={size}
                textAnchor="middle"
                fontFamily={SERIF}
                opacity={blank && y < qr.y ? 0.3 : undefined}
              >
                {text}
              </text>
            ))}
            {hydrated && code && (
              <g transform={`translate(${(CARD.width - qr.side) / 2} ${qr.y}) scale(${qr.side / code.size})`}>
                {engraving.finish === "black" && <rect width={code.size} height={code.size} />}
                <path
                  d={code.path}
                  fill={engraving.finish === "black" ? "#16191d" : undefined}
                  shapeRendering="crispEdges"
                />
              </g>
            )}
          </svg>
        </div>
      </div>
    </div>
  );
}

/** Renders again once the serif font has loaded, because text is measured in the fallback font before. */
function useSerifReady() {
  const [, ready] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void document.fonts.ready.then(() => isMounted && ready(true));
    return () => {
      isMounted = false;
    };
  }, []);
}

/** The engraving's font. */
const SERIF = '"Literata Variable", "Literata fallback", Georgia, serif';

const roughly = (text: string, size: number) => text.length * size * 0.5;

const AT = 100;
let pen: CanvasRenderingContext2D | null | undefined;

/** The width of text at a size in the product's serif, in the unit of the size. */
function measureSerif(text: string, size: number): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return roughly(text, size);
  pen.font = `${AT}px ${SERIF}`;
  return (pen.measureText(text).width * size) / AT;
}
