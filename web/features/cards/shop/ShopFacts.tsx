import { Gift, Lock, QrCode } from "lucide-react";
import { useTranslation } from "react-i18next";

const FACTS = [
  { name: "code", Icon: QrCode },
  { name: "privacy", Icon: Lock },
  { name: "gift", Icon: Gift },
] as const;

/** What a card is, in three thoughts. */
export function ShopFacts() {
  const { t } = useTranslation("cards");
  return (
    <section aria-labelledby="card-facts" className="grid gap-6 border-t border-line pt-10">
      <div className="grid gap-1">
        <h2 id="card-facts" className="font-serif text-3xl">
          {t("shop.factsTitle")}
        </h2>
        <p className="text-ink-soft">{t("shop.size")}</p>
      </div>
      <ul className="m-0 grid list-none gap-6 p-0 md:grid-cols-3 md:gap-10">
        {FACTS.map(({ name, Icon }) => (
          <li key={name} className="grid content-start gap-2">
            <Icon aria-hidden className="size-7 text-deep" />
            <h3 className="font-serif text-xl">{t(`shop.${name}Title`)}</h3>
            <p className="text-ink-soft">{t(`shop.${name}Text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
