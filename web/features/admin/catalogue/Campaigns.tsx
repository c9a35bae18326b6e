import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Catalogue } from "../../../data/catalogue.queries.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem, DeskTable } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import { type Campaign, campaignsQuery, codesOf, useSwitchCampaign } from "./catalogue.queries.ts";
import { saveCodes, VoucherForm } from "./VoucherForm.tsx";

/** Batches of single-use codes, which are created, exported and switched off together. */
export function Campaigns({ catalogue }: { catalogue: Catalogue }) {
  const { t, i18n } = useTranslation("adminCatalogue");
  const [isNew, setIsNew] = useState(false);
  const campaigns = useQuery(campaignsQuery(supabase));
  return (
    <section aria-labelledby="campaigns" className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="campaigns" className="font-serif text-2xl">
          {t("campaigns")}
        </h2>
        <Button onClick={() => setIsNew(true)}>{t("newCampaign")}</Button>
      </div>
      {isNew && <VoucherForm campaign catalogue={catalogue} onDone={() => setIsNew(false)} />}
      {campaigns.isPending && <Skeleton className="h-40 rounded-3xl" />}
      {campaigns.isLoadingError && <DeskProblem retry={campaigns.refetch} />}
      {campaigns.data?.length === 0 && <p className="text-ink-soft">{t("noCampaigns")}</p>}
      {campaigns.data && campaigns.data.length > 0 && (
        <DeskTable
          caption={t("campaigns")}
          rows={campaigns.data}
          keyOf={({ id }) => id}
          columns={[
            { head: t("campaignName"), cell: ({ name }) => name },
            { head: t("takes"), cell: ({ percentage }) => `${percentage}%` },
            { head: t("made"), cell: ({ created_at }) => momentText(created_at, i18n.language) },
            { head: t("used"), align: "end", cell: ({ paid, codes }) => t("usedOf", { paid, most: codes }) },
            { head: t("state"), align: "end", cell: (campaign) => <Actions campaign={campaign} /> },
          ]}
        />
      )}
    </section>
  );
}

function Actions({ campaign: { id, name, active } }: { campaign: Campaign }) {
  const { t } = useTranslation("adminCatalogue");
  const turn = useSwitchCampaign();
  const failed = ({ message }: Error) => toast({ tone: "problem", title: message });
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button
        variant="quiet"
        size="small"
        onClick={() =>
          codesOf(id).then(
            (codes) => saveCodes(name, codes),
            (error: Error) => failed(error),
          )
        }
      >
        {t("csv")}
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-busy={turn.isPending}
        onClick={() => turn.isPending || turn.mutate({ id, active: !active }, { onError: failed })}
      >
        {t(active ? "turnOff" : "turnOn")}
      </Button>
    </span>
  );
}
