import { Gift, Lock, QrCode } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ProductPicture } from "../../../ui/ProductPicture.tsx";

const FACTS = [
  { name: "code", Icon: QrCode },
  { name: "privacy", Icon: Lock },
  { name: "gift", Icon: Gift },
] as const;

/** Three facts about the card. */
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
      <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-10 sm:grid-cols-[auto_1fr]">
        <ProductPicture name="life" className="w-60" />
        <ul className="m-0 grid max-w-prose list-none gap-8 p-0">
          {FACTS.map(({ name, Icon }) => (
            <li key={name} className="grid content-start gap-2">
              <Icon aria-hidden className="size-7 text-deep" />
              <h3 className="font-serif text-xl">{t(`shop.${name}Title`)}</h3>
              <p className="text-ink-soft">{t(`shop.${name}Text`)}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
