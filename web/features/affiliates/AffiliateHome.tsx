import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import type { CurrentUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Loading } from "../../ui/Loading.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { AffiliateDashboard } from "./AffiliateDashboard.tsx";
import { affiliateQuery, useJoin } from "./affiliates.queries.ts";
import { Invitation } from "./Invitation.tsx";

/** For signed-in people: the dashboard, or the form to join. */
export default function AffiliateHome({ user }: { user: CurrentUser }) {
  const { t } = useTranslation("affiliates");
  const affiliate = useQuery(affiliateQuery(supabase, user.id));
  if (affiliate.isPending) return <Loading full />;
  if (affiliate.isLoadingError) return <Problem error={new Error(t("failed"))} retry={affiliate.refetch} />;
  if (affiliate.data) return <AffiliateDashboard affiliate={affiliate.data} userId={user.id} />;
  return (
    <Invitation>
      <Join userId={user.id} />
    </Invitation>
  );
}

function Join({ userId }: { userId: string }) {
  const { t } = useTranslation("affiliates");
  const join = useJoin(supabase, userId);
  return (
    <div className="grid justify-items-start gap-4">
      <Button
        size="large"
        variant="sky"
        aria-busy={join.isPending}
        aria-disabled={join.isPending}
        onClick={() =>
          join.isPending ||
          join.mutate(undefined, { onSuccess: () => toast({ title: t("join.joined"), tone: "success" }) })
        }
      >
        {t("hero.join")}
      </Button>
      <p>
        {t("join.agree")} {t("hero.free")}
      </p>
      {join.isError && (
        <p role="alert" className="rounded-xl bg-danger-wash px-4 py-3 text-danger-text">
          {t("join.failed")}
        </p>
      )}
    </div>
  );
}
