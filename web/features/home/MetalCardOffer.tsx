import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { QrPicture } from "./QrPicture.tsx";

/** The metal card, in a picture that costs a first page nothing; the shop draws it as it will be engraved. */
export function MetalCardOffer() {
  const { t } = useTranslation("home");
  return (
    <section aria-labelledby="metal-card" className="grid items-center gap-12 sm:grid-cols-2 sm:gap-16">
      <div
        aria-hidden
        className="mx-auto grid aspect-54/86 w-52 -rotate-4 content-between justify-items-center rounded-xl bg-linear-[150deg,#eef1f3,#c3c9ce_26%,#dfe3e6_46%,#a9b0b7_72%,#d5dade] px-5 py-9 text-center font-serif text-[#262d33] shadow-lifted lg:w-60"
      >
        <div className="grid gap-1">
          <p className="text-2xl leading-tight">{t("pictures.make.name")}</p>
          <p className="text-sm">{t("pictures.make.dates")}</p>
        </div>
        <div className="w-full px-4 mix-blend-multiply">
          <QrPicture />
        </div>
        <p className="text-sm whitespace-nowrap">{t("card.caption")}</p>
      </div>
      <div className="grid gap-4">
        <h2 id="metal-card" className="font-serif text-3xl sm:text-4xl">
          {t("card.title")}
        </h2>
        <p className="max-w-prose text-lg text-ink-soft">{t("card.text")}</p>
        <Button asChild variant="quiet" size="large" className="justify-self-start">
          <Link to={paths.shop()}>{t("card.link")}</Link>
        </Button>
      </div>
    </section>
  );
}
