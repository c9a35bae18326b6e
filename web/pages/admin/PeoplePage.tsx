import { useTranslation } from "react-i18next";
import { People } from "../../features/admin/people/People.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/people: everybody who has an account, for administrators and support. */
export default function PeoplePage() {
  const { t } = useTranslation("adminPeople");
  return (
    <Desk title={t("title")}>
      <People />
    </Desk>
  );
}
