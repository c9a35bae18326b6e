import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { skyColours, textOnSky } from "../../../shared/sky-colours.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Sky } from "../../ui/Sky.tsx";
import { HeroBar } from "./HeroBar.tsx";

/** The sky of the visitor's own hour, the tagline, one button. */
export function Hero({ bar }: { bar: boolean }) {
  const { t } = useTranslation("home");
  const now = useMinute();
  const text = textOnSky(skyColours(now));
  const night = text.colour === "#ffffff";
  return (
    <section className="relative isolate grid min-h-[min(100svh,64rem)] overflow-hidden" style={{ color: text.colour }}>
      <Sky tall moment={now} className="absolute inset-0 -z-10" />
      <div
        className="absolute inset-x-0 top-0 -z-10 h-4/5"
        style={{
          background: `linear-gradient(${text.veil} 75%, transparent)`,
          opacity: text.veilOpacity,
        }}
      />
      <div className="mx-auto grid w-full max-w-7xl grid-rows-[auto_1fr] px-5 sm:px-8">
        {bar ? <HeroBar /> : <span />}
        <div className="grid max-w-3xl content-start gap-6 pt-[9svh] pb-56 sm:gap-7 sm:pt-[15svh] lg:pt-[18svh]">
          <h1 className="font-serif text-[clamp(2.75rem,1.6rem+5.2vw,5.25rem)] leading-[1.04] font-medium tracking-[-0.02em]">
            {t("hero.tagline")}
          </h1>
          <p className="max-w-xl text-xl leading-relaxed sm:text-2xl sm:leading-relaxed">{t("hero.text")}</p>
          <Button
            asChild
            size="large"
            className={
              night
                ? "justify-self-start bg-teal! text-night! outline-white! hover:bg-white!"
                : "justify-self-start bg-[#0a4f4b]! text-white! outline-night! hover:bg-night!"
            }
          >
            <Link to={paths.register()}>{t("hero.start")}</Link>
          </Button>
        </div>
      </div>
      <svg
        aria-hidden="true"
        viewBox="0 0 1600 120"
        preserveAspectRatio="none"
        className="absolute inset-x-0 -bottom-px -z-10 h-16 w-full sm:h-24"
      >
        <path className="fill-paper" d="M0 74C220 22 470 14 760 58s560 62 840-14V120H0z" />
      </svg>
    </section>
  );
}
