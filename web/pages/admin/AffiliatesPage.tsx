import { useTranslation } from "react-i18next";
import { AffiliateList } from "../../features/admin/affiliates/AffiliateList.tsx";
import { Payouts } from "../../features/admin/affiliates/Payouts.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/affiliates: affiliates and their payouts. */
export default function AffiliatesPage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.affiliates")}>
      <div className="grid gap-12">
        <AffiliateList />
        <Payouts />
      </div>
    </Desk>
  );
}
