import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { Person } from "../../features/admin/people/Person.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/people/:id: one account. */
export default function PersonPage() {
  const { t } = useTranslation("adminPeople");
  const { id = "" } = useParams();
  return (
    <Desk title={t("one")}>
      <Person key={id} id={id} />
    </Desk>
  );
}
