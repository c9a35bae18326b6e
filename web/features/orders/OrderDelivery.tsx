import { useQuery } from "@tanstack/react-query";
import { PackageCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { countryName } from "../../../shared/country-name.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type OrderedCard, orderedCardsQuery } from "./orders.queries.ts";

const MAKING = ["waiting", "ordered", "engraved", "sent", "returned", "cancelled"] as const;

/** Renders the production state and delivery address of an order's cards. */
export function OrderDelivery({ orderId }: { orderId: string }) {
  const { t } = useTranslation("orders");
  const cards = useQuery(orderedCardsQuery(supabase, orderId));
  if (cards.data?.length === 0) return null;
  return (
    <Panel title={t("deliveryTitle")} className="print:hidden">
      {cards.isPending && <Skeleton className="h-24" />}
      {cards.isLoadingError && <Problem error={new Error(t("failed"))} retry={cards.refetch} />}
      {cards.data && <Progress cards={cards.data} />}
    </Panel>
  );
}

function Progress({ cards }: { cards: readonly OrderedCard[] }) {
  const { t, i18n } = useTranslation("orders");
  const inState = (making: (typeof MAKING)[number]) => cards.filter(({ card }) => card?.making === making).length;
  const address = cards.find((one) => one.address)?.address;
  const parcels = [
    ...new Map(cards.filter((one) => one.carrier || one.tracking_number).map((one) => [keyOf(one), one])),
  ];
  return (
    <>
      <ul className="m-0 grid list-none gap-2 p-0">
        {MAKING.filter((making) => inState(making) > 0).map((making) => (
          <li key={making} className="flex gap-3">
            <PackageCheck aria-hidden className="mt-1 size-5 shrink-0 text-deep" />
            {t(`making.${making}`, { count: inState(making) })}
          </li>
        ))}
      </ul>
      {parcels.map(([key, parcel]) => (
        <Parcel key={key} parcel={parcel} />
      ))}
      {address && (
        <div>
          <p className="text-ink-soft">{t("deliveryTo")}</p>
          <address className="whitespace-pre-line not-italic wrap-anywhere">
            {written(address, localeOf(i18n.language))}
          </address>
        </div>
      )}
      {inState("waiting") > 0 && (
        <Button asChild variant="quiet" className="justify-self-start">
          <Link to={paths.cards()}>{t("personalise")}</Link>
        </Button>
      )}
    </>
  );
}

const keyOf = ({ carrier, tracking_number }: OrderedCard) => `${carrier} ${tracking_number}`;

function Parcel({ parcel: { carrier, tracking_number, tracking_url } }: { parcel: OrderedCard }) {
  const { t } = useTranslation("orders");
  return (
    <p className="flex flex-wrap items-center gap-x-4">
      {carrier && <span>{t("parcel", { carrier })}</span>}
      {tracking_url ? (
        <a href={tracking_url} target="_blank" rel="noreferrer" className="inline-flex min-h-11 items-center">
          {t("track", { number: tracking_number })}
        </a>
      ) : (
        <span className="tabular-nums">{tracking_number}</span>
      )}
    </p>
  );
}

/** Formats a delivery address in several lines, as on an envelope. */
function written({ name, address }: NonNullable<OrderedCard["address"]>, locale: string): string {
  const { line1, line2, city, state, postal_code, country } = address;
  const place = [postal_code, city, state].filter(Boolean).join(" ");
  return [name, line1, line2, place, countryName(country ?? "", locale)].filter(Boolean).join("\n");
}
