import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { languages } from "../../i18n/languages.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Sky } from "../../ui/Sky.tsx";
import { skyColours, textOnSky } from "../../ui/sky-colours.ts";
import { Wordmark } from "../../ui/Wordmark.tsx";
import { useMinute } from "./use-minute.ts";

/** The sky of the visitor's own hour, the tagline, one button. */
export function Hero() {
  const { t, i18n } = useTranslation("home");
  const now = useMinute();
  const text = textOnSky(skyColours(now));
  const night = text.colour === "#ffffff";
  return (
    <section className="relative isolate grid min-h-[min(100svh,64rem)] overflow-hidden" style={{ color: text.colour }}>
      <Sky moment={now} className="absolute inset-0 -z-10" />
      <div
        className="absolute inset-x-0 top-0 -z-10 h-4/5"
        style={{
          background: `linear-gradient(${text.veil} 75%, transparent)`,
          opacity: text.veilOpacity,
        }}
      />
      <div className="mx-auto grid w-full max-w-7xl grid-rows-[auto_1fr] px-5 sm:px-8">
        <div className="flex items-center justify-between gap-3 py-4 sm:py-6">
          <Wordmark />
          <div className="flex items-center gap-1 font-semibold sm:gap-3">
            {languages
              .filter(({ code }) => code !== i18n.resolvedLanguage)
              .map(({ code, name }) => (
                <button
                  key={code}
                  type="button"
                  lang={code}
                  onClick={() => void i18n.changeLanguage(code)}
                  className="min-h-11 cursor-pointer rounded-full px-3 underline-offset-4 outline-current hover:underline"
                >
                  {name}
                </button>
              ))}
            <Link
              to={paths.login()}
              className="inline-flex min-h-11 items-center rounded-full px-3 text-current no-underline underline-offset-4 outline-current hover:underline"
            >
              {t("hero.signIn")}
            </Link>
          </div>
        </div>
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
